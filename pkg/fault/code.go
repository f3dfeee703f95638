package fault

// Code classifies a failure by what its caller would do about it. The list is
// closed: a failure that fits none of the others is [CodeUnknown], which is also
// the zero Code.
//
// A Code is an error so that it can be the target of [errors.Is] for an [Error].
type Code uint8

// The eight codes.
const (
	CodeUnknown               Code = iota // not classified
	CodeInvalidConfig                     // options or set-up contradict each other
	CodeProviderError                     // a call of a model failed
	CodeToolError                         // a tool could not be found or run
	CodeNotFound                          // something named does not exist
	CodePluginError                       // a hook of the application failed or refused
	CodeCapabilityUnavailable             // the environment lacks what is needed
	CodeStorageError                      // durable state could not be read or written
	codeEnd
)

var codeNames = [codeEnd]string{
	CodeUnknown:               "unknown",
	CodeInvalidConfig:         "invalid_config",
	CodeProviderError:         "provider_error",
	CodeToolError:             "tool_error",
	CodeNotFound:              "not_found",
	CodePluginError:           "plugin_error",
	CodeCapabilityUnavailable: "capability_unavailable",
	CodeStorageError:          "storage_error",
}

// codeMeanings stand apart from the names, so that a page carries the names alone.
var codeMeanings = [codeEnd]string{
	CodeUnknown:               "Nothing is known about the failure but its text.",
	CodeInvalidConfig:         "Something was set up or called wrongly. The same call fails again.",
	CodeProviderError:         "A model provider failed or refused a call; details.providerCode says how. The verdict on trying again is the provider's own.",
	CodeToolError:             "A tool is missing, or running it failed.",
	CodeNotFound:              "A session, checkpoint or other saved state of that name does not exist.",
	CodePluginError:           "Code that the application plugged in failed or refused.",
	CodeCapabilityUnavailable: "The provider, the store or the environment cannot do what was asked for.",
	CodeStorageError:          "Durable state could not be read or written.",
}

// Codes are all codes in the order of the docs, the unclassified one last.
func Codes() []Code {
	return []Code{
		CodeInvalidConfig, CodeProviderError, CodeToolError, CodeNotFound, CodePluginError,
		CodeCapabilityUnavailable, CodeStorageError, CodeUnknown,
	}
}

// ParseCode reads a name. Names that are none of the eight answer CodeUnknown, false.
func ParseCode(name string) (Code, bool) {
	for c := range codeNames {
		if codeNames[c] == name {
			return Code(c), true
		}
	}
	return CodeUnknown, false
}

// known is total: a number beyond the list reads as CodeUnknown.
func (c Code) known() Code {
	if c < codeEnd {
		return c
	}
	return CodeUnknown
}

// String is the name on the wire.
func (c Code) String() string { return codeNames[c.known()] }

// Retryable is the verdict of an [Error] that does not bring its own.
func (c Code) Retryable() bool { return c == CodeStorageError }

// Meaning is one or two sentences on when the code is used.
func (c Code) Meaning() string { return codeMeanings[c.known()] }

// Error is the name, so that a code prints the same as text and as an error.
func (c Code) Error() string { return c.String() }

// FailureCode is a code that only the failure member of a turn_failed event
// has: it is read, never made by an [Error].
type FailureCode struct {
	Code    string
	Meaning string
}

// FailureOnlyCodes are the codes that stand on the wire beside the eight.
func FailureOnlyCodes() []FailureCode {
	return []FailureCode{
		{"interrupted", "The process ended while the turn was open; the next one to begin a turn closed it."},
		{"abandoned", "Somebody asked to give the turn up."},
	}
}
