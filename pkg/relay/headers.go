package relay

// The headers that do not pass a relay, in small letters. What else a request or an
// answer says goes along: credentials, and what lets a page of another origin read the
// answer. What a Connection header names does not, either.
var (
	// HopByHop are those of one connection alone, on both ways (RFC 9110, section 7.6.1).
	HopByHop = []string{
		"connection", "keep-alive", "proxy-authenticate", "proxy-authorization", "proxy-connection", "te", "trailer", "transfer-encoding", "upgrade",
	}

	// NotAsked are those of a request that go no further: where it went, what body it
	// has, and what would make something else of a stream than its events.
	NotAsked = []string{
		"host", "content-length", "expect",
		"if-match", "if-modified-since", "if-none-match", "if-range", "if-unmodified-since", "range",
	}

	// OfBody are those of an answer that speak of its body, where another one goes out:
	// a stream that something may be left out of, or a problem document.
	OfBody = []string{
		"accept-ranges", "age", "content-digest", "content-disposition", "content-encoding", "content-language", "content-length",
		"content-location", "content-md5", "content-range", "content-type", "digest", "etag", "expires", "last-modified", "location",
		"refresh", "repr-digest",
	}
)
