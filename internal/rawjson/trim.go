package rawjson

// Trim drops the white space around a value.
func Trim(text []byte) []byte {
	text = text[space(text, 0):]
	n := len(text)
	for n > 0 && space(text[:n], n-1) == n {
		n--
	}
	return text[:n]
}

// AppendPercent appends a byte as %XX, with digits in upper case.
func AppendPercent(dst []byte, c byte) []byte {
	const digits = "0123456789ABCDEF"
	return append(dst, '%', digits[c>>4], digits[c&15])
}
