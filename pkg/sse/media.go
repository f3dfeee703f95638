package sse

// ContentType is the media type of an event stream.
const ContentType = "text/event-stream"

// MediaType is a content type without its parameters, in small letters.
func MediaType(contentType string) string {
	n := 0
	for n < len(contentType) && contentType[n] != ';' && contentType[n] != ' ' {
		n++
	}
	return Lower(contentType[:n])
}

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
