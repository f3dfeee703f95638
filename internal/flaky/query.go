package flaky

import (
	"fmt"
	"net/url"
	"slices"
	"strconv"
	"time"
)

// lineEnds are the names that a query has for them.
var lineEnds = map[string]string{"": "\n", "lf": "\n", "crlf": "\r\n", "cr": "\r"}

func lineEnd(name string) (string, error) {
	eol, ok := lineEnds[name]
	if !ok {
		return "", fmt.Errorf("eol=%q: lf, crlf or cr", name)
	}
	return eol, nil
}

// scriptOf reads the script in a query; without one it is the server's own.
func scriptOf(query url.Values, own Script) (Script, error) {
	var err error
	if query.Has("eol") {
		if own.EOL, err = lineEnd(query.Get("eol")); err != nil {
			return own, err
		}
	}
	if !query.Has("fault") {
		return own, nil
	}
	fault, err := faultOf(query)
	if err != nil {
		return own, err
	}
	own.Faults, own.Always = nil, query.Get("times") == "always"
	times := 1
	if !own.Always {
		times, err = number(query, "times", 1)
	}
	own.Faults = slices.Repeat([]Fault{fault}, times)
	return own, err
}

func faultOf(query url.Values) (f Fault, err error) {
	f.Kind, f.Record, f.RetryAfter = query.Get("fault"), query.Get("record"), query.Get("retryAfter")
	f.Code, f.Token = query.Get("code"), query.Get("token")
	if f.At, err = number(query, "at", 0); err != nil {
		return f, err
	}
	pause, err := number(query, "pause", 0)
	if err != nil {
		return f, err
	}
	f.Pause = time.Duration(pause) * time.Millisecond
	f.Status, err = number(query, "status", 503)
	return f, err
}

// maxNumber bounds what a query can ask for.
const maxNumber = 1 << 20

func number(query url.Values, name string, absent int) (int, error) {
	text := query.Get(name)
	if text == "" {
		return absent, nil
	}
	n, err := strconv.Atoi(text)
	if err != nil || n < 0 || n > maxNumber {
		return 0, fmt.Errorf("%s=%q: a number from 0 to %d", name, text, maxNumber)
	}
	return n, nil
}
