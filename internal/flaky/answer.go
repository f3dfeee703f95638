package flaky

import (
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"time"
)

// answer writes what stands in place of a stream: its status, headers and body.
func answer(w http.ResponseWriter, status int, contentType, body string) {
	w.Header().Set("Content-Type", contentType)
	w.WriteHeader(status)
	_, _ = w.Write([]byte(body))
}

func problem(w http.ResponseWriter, status int, code string) {
	answer(w, status, "application/problem+json", fmt.Sprintf(`{"status":%d,"code":%q}`, status, code))
}

func status(w http.ResponseWriter, _ *http.Request, f Fault) bool {
	if f.RetryAfter != "" {
		w.Header().Set("Retry-After", retryAfter(f.RetryAfter))
	}
	problem(w, f.Status, f.Code)
	return true
}

func auth(w http.ResponseWriter, r *http.Request, f Fault) bool {
	if r.Header.Get("Authorization") == "Bearer "+f.Token {
		return false
	}
	problem(w, http.StatusUnauthorized, "unauthorized")
	return true
}

// retryAfter writes "date:N" as an HTTP date.
func retryAfter(value string) string {
	seconds, dated := strings.CutPrefix(value, "date:")
	n, err := strconv.Atoi(seconds)
	if !dated || err != nil {
		return value
	}
	return time.Now().Add(time.Duration(n) * time.Second).UTC().Format(http.TimeFormat)
}

func page(w http.ResponseWriter, _ *http.Request, _ Fault) bool {
	answer(w, http.StatusOK, "text/html; charset=utf-8", "<!doctype html><title>Sign in</title><p>Please sign in.</p>\n")
	return true
}

func empty(w http.ResponseWriter, _ *http.Request, _ Fault) bool {
	answer(w, http.StatusOK, eventStream, "")
	return true
}

func redirect(w http.ResponseWriter, r *http.Request, _ Fault) bool {
	http.Redirect(w, r, r.URL.RequestURI(), http.StatusTemporaryRedirect)
	return true
}

func reset(http.ResponseWriter, *http.Request, Fault) bool { panic(http.ErrAbortHandler) }
