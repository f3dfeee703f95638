package relay_test

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/tidemark-stream/tidemark/pkg/relay"
	"github.com/tidemark-stream/tidemark/pkg/wire"
)

// what a relay answers before its first byte. code "" means that the body is not
// of the relay.
func TestJudge(t *testing.T) {
	const events, page = "text/event-stream", "text/html; charset=utf-8"
	for name, c := range map[string]struct {
		in     relay.Response
		status int
		stream bool
		body   bool
		code   string
		found  string
	}{
		"a stream":                   {relay.Response{Status: 200, ContentType: events}, 200, true, false, "", ""},
		"with parameters":            {relay.Response{Status: 200, ContentType: "Text/Event-Stream; charset=utf-8"}, 200, true, false, "", ""},
		"encoded as itself":          {relay.Response{Status: 200, ContentType: events, Encoding: "Identity"}, 200, true, false, "", ""},
		"nothing more to come":       {relay.Response{Status: 204}, 204, false, false, "", ""},
		"no answer":                  {relay.Response{}, 502, false, false, "stream.upstream_down", "no answer"},
		"compressed":                 {relay.Response{Status: 200, ContentType: events, Encoding: "gzip"}, 502, false, false, "stream.upstream_encoded", "gzip"},
		"compressed twice":           {relay.Response{Status: 200, ContentType: events, Encoding: "identity, br"}, 502, false, false, "stream.upstream_encoded", "identity, br"},
		"a page for people":          {relay.Response{Status: 200, ContentType: page}, 502, false, false, "stream.upstream_not_stream", page},
		"a name that only begins so": {relay.Response{Status: 200, ContentType: "text/event-stream-2"}, 502, false, false, "stream.upstream_not_stream", "text/event-stream-2"},
		"no content type":            {relay.Response{Status: 200}, 502, false, false, "stream.upstream_not_stream", "no content type"},
		"a redirect":                 {relay.Response{Status: 302}, 502, false, false, "stream.upstream_moved", "status 302"},
		"not modified":               {relay.Response{Status: 304}, 502, false, false, "stream.upstream_moved", "status 304"},
		"created":                    {relay.Response{Status: 201, ContentType: events}, 502, false, false, "stream.upstream_status", "status 201"},
		"a part":                     {relay.Response{Status: 206, ContentType: events}, 502, false, false, "stream.upstream_status", "status 206"},
		"a status of the protocol":   {relay.Response{Status: 101}, 502, false, false, "stream.upstream_status", "status 101"},
		"no status":                  {relay.Response{Status: 600}, 502, false, false, "stream.upstream_status", "status 600"},
		"below all":                  {relay.Response{Status: -1}, 502, false, false, "stream.upstream_status", "status -1"},
		"a problem of the server":    {relay.Response{Status: 410, ContentType: "application/problem+json"}, 410, false, true, "", ""},
		"JSON of the server":         {relay.Response{Status: 401, ContentType: "application/json;charset=utf-8"}, 401, false, true, "", ""},
		"an error page":              {relay.Response{Status: 503, ContentType: page}, 503, false, false, "stream.upstream_status", "status 503"},
		"an error that streams":      {relay.Response{Status: 500, ContentType: events}, 500, false, false, "stream.upstream_status", "status 500"},
		"an error without a type":    {relay.Response{Status: 404}, 404, false, false, "stream.upstream_status", "status 404"},
	} {
		t.Run(name, func(t *testing.T) {
			got := relay.Judge(&c.in)
			assert.Equal(t, c.status, got.Status)
			assert.Equal(t, c.stream, got.Stream)
			assert.Equal(t, c.body, got.Body)
			require.Equal(t, c.code == "", got.Fault == nil)
			if got.Fault == nil {
				return
			}
			assert.Equal(t, c.code, got.Fault.ID.String())
			assert.Equal(t, c.found, got.Fault.Found)
			var problem struct {
				Type, Title, Code, Rule, Hint, Expected, Found string
				Status                                         int
			}
			require.NoError(t, json.Unmarshal(wire.AppendProblem(nil, got.Status, got.Fault), &problem))
			assert.Equal(t, c.code, problem.Code)
			assert.Equal(t, c.status, problem.Status)
			assert.NotEmpty(t, problem.Title)
			assert.NotEmpty(t, problem.Hint)
		})
	}
}
