package gen

import "strings"

// initials are the words that Go writes in capitals.
var initials = map[string]string{"id": "ID", "json": "JSON", "ts": "TS", "ids": "IDs"}

// goWord is one word of a Go name.
func goWord(word string) string {
	if up, ok := initials[strings.ToLower(word)]; ok {
		return up
	}
	return strings.ToUpper(word[:1]) + word[1:]
}

// typeIdent is the Go and TypeScript name of an event type: turn_started is
// TurnStarted.
func typeIdent(name string) string {
	var b strings.Builder
	for word := range strings.SplitSeq(name, "_") {
		b.WriteString(goWord(word))
	}
	return b.String()
}

// fieldIdent is the Go name of a member: toolUseId is ToolUseID.
func fieldIdent(name string) string {
	var b strings.Builder
	start := 0
	for i := 1; i <= len(name); i++ {
		if i == len(name) || name[i] >= 'A' && name[i] <= 'Z' {
			b.WriteString(goWord(name[start:i]))
			start = i
		}
	}
	return b.String()
}

// valueIdent is the Go name of a value of an enum: tool-result is ToolResult.
func valueIdent(value string) string {
	return typeIdent(strings.ReplaceAll(value, "-", "_"))
}

// wrapped is text as comment lines, each with prefix in front.
func wrapped(prefix, text string) string {
	const most = 100
	var b strings.Builder
	length := 0
	for _, word := range strings.Fields(text) {
		switch {
		case length == 0:
			b.WriteString(prefix)
		case length+1+len(word) > most:
			b.WriteString("\n" + prefix)
			length = 0
		default:
			b.WriteByte(' ')
			length++
		}
		b.WriteString(word)
		length += len(word)
	}
	b.WriteByte('\n')
	return b.String()
}
