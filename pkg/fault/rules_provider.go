package fault

// providerRules are the rules of the contract that are not about streams, in
// its order. Texts and conditions are data of the contract.
var providerRules = []Rule{
	{Name: "hint.from_throw_site", Match: &Match{Dynamic: true, Any: []Condition{{Hint: true}}}},
	{
		Name: "provider.permission", Side: SideProvider, Code: CodeProviderError,
		Match:   &Match{ProviderOnly: true, Any: []Condition{{Status: 403}}},
		Message: "The key was accepted, but it has no right to use this model.",
		Hint:    "Login worked, so the secret is fine: verify the model name and ask whether this account may use it.",
	},
	{
		Name: "provider.auth", Side: SideProvider, Code: CodeProviderError,
		Match:   &Match{ProviderOnly: true, Any: []Condition{{Code: ProviderAuth}, {Status: 401}}},
		Message: "The provider did not accept the credentials.",
		Hint:    "Make sure an API key is configured, has not run out, and is from the account that pays for the model. Nothing changes by trying again first.",
	},
	{
		Name: "provider.rate_limit", Side: SideProvider, Code: CodeProviderError,
		Match:   &Match{ProviderOnly: true, Any: []Condition{{Code: ProviderRateLimit}, {Status: 429}}},
		Message: "The provider is throttling our requests.",
		Hint:    "The built-in backoff is already used up. Run fewer requests at once, or resume after the quota window starts over.",
	},
	{
		Name: "provider.context_overflow", Side: SideProvider, Code: CodeProviderError,
		Match:   &Match{ProviderOnly: true, Any: []Condition{{Code: ProviderContextLength}}},
		Message: "The request holds more tokens than the model takes.",
		Hint:    "Compaction could not free enough. Set a lower `compactionConfig.triggerThreshold`, a smaller `keepRecentMessages`, or put a cap on big tool results so that history grows slower than it is trimmed.",
	},
	{
		Name: "provider.unavailable", Side: SideProvider, Code: CodeProviderError,
		Match:   &Match{ProviderOnly: true, Any: []Condition{{Code: ProviderServerError}, {Code: ProviderOverloaded}, {StatusMin: 500}}},
		Message: "The provider has an outage or is overloaded.",
		Hint:    "The fault is not in this work. When the provider is healthy again, resume at the latest checkpoint.",
	},
	{
		Name: "provider.network", Side: SideProvider, Code: CodeProviderError,
		Match:   &Match{ProviderOnly: true, Any: []Condition{{Code: ProviderNetwork}, {Code: ProviderTimeout}}},
		Message: "No connection to the provider could be made.",
		Hint:    "Look at connectivity, proxy and firewall between here and the provider address; afterwards resume at the latest checkpoint.",
	},
	{
		Name: "provider.model_not_found", Side: SideProvider, Code: CodeProviderError,
		Match:   &Match{ProviderOnly: true, Any: []Condition{{Code: ProviderNotFound}, {Status: 404}}},
		Message: "The provider knows no such model or endpoint.",
		Hint:    "Compare `runConfig.model` with the models the provider lists now. Models get withdrawn, and providers that route by deployment want the deployment name instead of the model name.",
	},
	{
		Name: "provider.content_filter", Side: SideProvider, Code: CodeProviderError,
		Match:   &Match{ProviderOnly: true, Any: []Condition{{Code: ProviderContentFiltered}}},
		Message: "The provider declined the request for safety reasons.",
		Hint:    "The decision was made by the provider under its own policy, and an identical prompt will be declined again. Its reply normally says which category was hit.",
	},
}
