package worker

import (
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/tidemark-stream/tidemark/pkg/edge"
	"github.com/tidemark-stream/tidemark/pkg/fault"
	"github.com/tidemark-stream/tidemark/pkg/link"
	"github.com/tidemark-stream/tidemark/pkg/profile"
)

func TestOptions(t *testing.T) {
	run, _ := profile.Named("run")
	for name, c := range map[string]struct {
		env  map[string]string
		want edge.Options
		bad  bool
	}{
		"nothing": {want: edge.Options{Profile: &profile.Session}},
		"everything": {env: map[string]string{"TIDEMARK_UPSTREAM": "http://a", "TIDEMARK_MODE": "observe", "TIDEMARK_MAX_FRAME": "1000", "TIDEMARK_PROFILE": "run"},
			want: edge.Options{Upstream: "http://a", Mode: link.Observe, MaxFrame: 1000, Profile: run}},
		"the default by name":   {env: map[string]string{"TIDEMARK_MODE": "enforce"}, want: edge.Options{Profile: &profile.Session}},
		"a mode that is none":   {env: map[string]string{"TIDEMARK_MODE": "Observe"}, bad: true},
		"no bytes at all":       {env: map[string]string{"TIDEMARK_MAX_FRAME": "0"}, bad: true},
		"more than there is":    {env: map[string]string{"TIDEMARK_MAX_FRAME": "1073741825"}, bad: true},
		"with a unit":           {env: map[string]string{"TIDEMARK_MAX_FRAME": "4MB"}, bad: true},
		"no profile of ours":    {env: map[string]string{"TIDEMARK_PROFILE": "chat"}, bad: true},
		"a profile that is cut": {env: map[string]string{"TIDEMARK_PROFILE": `{"name":`}, bad: true},
	} {
		t.Run(name, func(t *testing.T) {
			got, err := Options(func(name string) string { return c.env[name] })
			if c.bad {
				require.ErrorIs(t, err, fault.InvalidOptions)
				return
			}
			require.NoError(t, err)
			assert.Equal(t, c.want, got)
		})
	}
	got, err := Options(func(name string) string {
		return map[string]string{"TIDEMARK_PROFILE": `{"name":"mine","terminal":["done"]}`}[name]
	})
	require.NoError(t, err)
	assert.Equal(t, "mine", got.Profile.Name)
}

func TestWhole(t *testing.T) {
	assert.Equal(t, http.Header{
		"User-Agent": {"Mozilla/5.0 (KHTML, like Gecko)"}, "If-None-Match": {`"a","b"`}, "Accept": {"*/*"},
	}, whole(http.Header{
		"User-Agent": {"Mozilla/5.0 (KHTML", " like Gecko)"}, "If-None-Match": {`"a"`, `"b"`}, "Accept": {"*/*"},
	}))
}

func TestMisconfigured(t *testing.T) {
	w := httptest.NewRecorder()
	Misconfigured().ServeHTTP(w, httptest.NewRequest(http.MethodGet, "/", nil))
	assert.Equal(t, 500, w.Code)
	assert.Contains(t, w.Body.String(), `"code":"stream.invalid_options"`)
}
