package sse

// ContentType is the media type of an event stream.
const ContentType = "text/event-stream"

// MediaType is a content type without its parameters and without the blanks around it,
// in small letters.
func MediaType(contentType string) string {
	from := 0
	for from < len(contentType) && isBlank(contentType[from]) {
		from++
	}
	to := from
	for to < len(contentType) && contentType[to] != ';' && !isBlank(contentType[to]) {
		to++
	}
	return Lower(contentType[from:to])
}

// isBlank: what HTTP allows between the parts of a header.
func isBlank(c byte) bool { return c == ' ' || c == '\t' }

// Lower puts small letters for the large ones of ASCII.
func Lower(text string) string {
	out := []byte(text)
	for i, c := range out {
		if c >= 'A' && c <= 'Z' {
			out[i] = c + 'a' - 'A'
		}
	}
	return string(out)
}
