package fault

import "github.com/tidemark-stream/tidemark/internal/rawjson"

// Codes of providers that rules refer to. The list is open: drivers may use
// others, and every code is kept as it came.
const (
	ProviderAuth            = "auth"
	ProviderRateLimit       = "rate_limit"
	ProviderContextLength   = "context_length_exceeded"
	ProviderServerError     = "server_error"
	ProviderOverloaded      = "overloaded"
	ProviderNetwork         = "network"
	ProviderTimeout         = "timeout"
	ProviderNotFound        = "not_found"
	ProviderContentFiltered = "content_filter"
)

// ProviderCodes are the known codes, in the order of the docs.
func ProviderCodes() []string {
	return []string{
		ProviderAuth, ProviderRateLimit, ProviderContextLength, ProviderServerError, ProviderOverloaded,
		ProviderNetwork, ProviderTimeout, ProviderNotFound, ProviderContentFiltered,
	}
}

// ProviderRetryable is the verdict that follows from a provider's code alone:
// known only for rate_limit (yes) and auth (no). A driver that knows better
// says so in the error, and its verdict is always kept.
func ProviderRetryable(code string) (retryable, known bool) {
	return code == ProviderRateLimit, code == ProviderRateLimit || code == ProviderAuth
}

// ProviderError is what the driver of a model provider says about a failed call.
// Zero is not absence: a status of 0 is written Int(0), an empty id new("").
type ProviderError struct {
	Code         string
	Message      string
	Retryable    bool    // the driver's own verdict
	ProviderID   *string // nil: not known
	Status       Number  // HTTP status; "" when there was none
	RetryAfterMs Number  // milliseconds; "" when the provider did not say
}

// Error is the message.
func (p *ProviderError) Error() string {
	if p == nil {
		return noText
	}
	return p.Message
}

// details are those of the normal form.
func (p *ProviderError) details() Details {
	w := rawjson.Begin(nil)
	w.Text("providerCode", p.Code)
	if p.ProviderID != nil {
		w.Text("providerId", *p.ProviderID)
	}
	writeNumber(&w, "status", p.Status)
	writeNumber(&w, "retryAfterMs", p.RetryAfterMs)
	return Details(w.End())
}
