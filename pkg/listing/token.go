package listing

import (
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"

	"github.com/tidemark-stream/tidemark/pkg/fault"
)

// A token is base64 for URLs, without padding, of
//
//	8 bytes   digest of all that follows
//	8 bytes   digest of the scope
//	4 texts   the key of the last row of the page, each behind its length
//
// Nobody but this file reads one. The digests find damage and mistakes, no
// forgery: a position gives away nothing that its scope does not.
const digestSize = 8

// mark goes into both digests. It changes when the form of tokens does, so that a
// token of the other form counts as damaged.
const mark = "tidemark page 1\n"

func digest(parts ...string) []byte {
	all := []byte(mark)
	for _, part := range parts {
		all = appendPart(all, part)
	}
	sum := sha256.Sum256(all)
	return sum[:digestSize]
}

func appendPart(dst []byte, part string) []byte {
	return append(binary.AppendUvarint(dst, uint64(len(part))), part...)
}

func scopeDigest(s Scope) []byte { return digest(s.TenantID, s.ProjectID, s.SessionID) }

// appendToken writes the token of a position in a scope.
func appendToken(s Scope, k Key) string {
	body := scopeDigest(s)
	for _, part := range [...]string{k.RunID, k.TenantID, k.ProjectID, k.SessionID} {
		body = appendPart(body, part)
	}
	return base64.RawURLEncoding.EncodeToString(append(digest(string(body)), body...))
}

// readToken answers the position of a token, the zero Key for "". What is damaged
// or of another scope is a [fault.BadPageToken], never page one.
func readToken(token string, s Scope) (Key, error) {
	if token == "" {
		return Key{}, nil
	}
	all, err := base64.RawURLEncoding.DecodeString(token)
	if err != nil || len(all) < 2*digestSize || base64.RawURLEncoding.EncodeToString(all) != token {
		return Key{}, damaged()
	}
	sum, body := all[:digestSize], all[digestSize:]
	if string(sum) != string(digest(string(body))) {
		return Key{}, damaged()
	}
	if string(body[:digestSize]) != string(scopeDigest(s)) {
		return Key{}, fault.New(fault.BadPageToken, "a token of this scope", "one of another scope")
	}
	return readKey(body[digestSize:])
}

func readKey(b []byte) (k Key, err error) {
	for _, part := range [...]*string{&k.RunID, &k.TenantID, &k.ProjectID, &k.SessionID} {
		n, size := binary.Uvarint(b)
		if size <= 0 || n > uint64(len(b)-size) {
			return Key{}, damaged()
		}
		*part, b = string(b[size:size+int(n)]), b[size+int(n):]
	}
	if len(b) > 0 {
		return Key{}, damaged()
	}
	return k, nil
}

func damaged() error {
	return fault.New(fault.BadPageToken, "the token of a page, as it was given out", "one that was cut or changed")
}
