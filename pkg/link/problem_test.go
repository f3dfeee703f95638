package link_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tidemark-stream/tidemark/pkg/fault"
	"github.com/tidemark-stream/tidemark/pkg/link"
	"github.com/tidemark-stream/tidemark/pkg/profile"
)

// where the code of a body stands.
func TestCodeOfABody(t *testing.T) {
	p := profile.Session
	p.Expired = []profile.Expired{{Status: 400, Code: "expired"}}
	for body, expired := range map[string]bool{
		`{"code":"expired"}`: true,
		`{"error":{"message":"m","code":"expired","param":null}}`: true,
		`{"code":"other","error":{"code":"expired"}}`:             false,
		`{"error":{"code":"other"},"code":"expired"}`:             true,
		`{"code":7,"error":{"code":"expired"}}`:                   true,
		`{"code":null,"error":{"code":"expired"}}`:                true,
		`{"error":{"error":{"code":"expired"}}}`:                  false,
		`{"error":"expired"}`:                                     false,
		`{"error":[{"code":"expired"}]}`:                          false,
		`{"error":{"code":["expired"]}}`:                          false,
		`{"error":null}`:                                          false,
		`{"error":{"code":"expired"}`:                             false,
		`expired`:                                                 false,
		``:                                                        false,
	} {
		l, err := link.New(link.Options{Profile: &p, Sessions: []string{"s1"}})
		require.NoError(t, err)
		l.Start(link.Moment{})
		l.Opened(link.Moment{}, link.Response{Status: 400, ContentType: "application/json", Body: []byte(body)})
		kinds := map[link.Kind]*link.Action{}
		for a := l.Next(); a != nil; a = l.Next() {
			copied := *a
			kinds[a.Kind] = &copied
		}
		if expired {
			require.NotNil(t, kinds[link.Refused], body)
			require.Equal(t, fault.DetailWindowExpired, kinds[link.Refused].Refusal.Detail, body)
		} else {
			require.NotNil(t, kinds[link.Fail], body)
		}
	}
}
