package listing_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/tidemark-stream/tidemark/pkg/listing"
	"github.com/tidemark-stream/tidemark/pkg/park"
)

// hundredThousand is an index of 100,000 runs of one tenant, put in at random;
// every third has parked, every 50th waits.
func hundredThousand(b *testing.B) *listing.Index {
	x := new(listing.Index)
	for _, i := range rand.New(rand.NewPCG(1, 1)).Perm(100_000) {
		r := listing.RunScope{TenantID: "t1", ProjectID: fmt.Sprint("p", i%10), SessionID: fmt.Sprint("s", i%1000), RunID: fmt.Sprintf("run_%08d", i)}
		for k := range 3 {
			require.NoError(b, x.Put(r, listing.Checkpoint{ID: fmt.Sprintf("cp_%d_%d", i, k), CreatedAt: int64(i + k)}))
		}
		switch {
		case i%50 == 0:
			require.NoError(b, x.SetParks(r, []*park.Park{parked(1, answered(2)), parked(3, nil)}))
		case i%3 == 0:
			require.NoError(b, x.SetParks(r, []*park.Park{parked(1, answered(2))}))
		}
	}
	return x
}

// BenchmarkWalk follows 100,000 runs by pages of 100, and reports the slowest page
// of all, each page by the best of its walks. "outstanding" has to look at every
// row, "nothing" at all of them for one empty page.
func BenchmarkWalk(b *testing.B) {
	x := hundredThousand(b)
	for _, c := range []struct {
		name    string
		scope   listing.Scope
		options listing.Options
		rows    int
	}{
		{"all", tenant, listing.Options{}, 100_000},
		{"project", listing.Scope{TenantID: "t1", ProjectID: "p3"}, listing.Options{}, 10_000},
		{"session", listing.Scope{TenantID: "t1", ProjectID: "p3", SessionID: "s3"}, listing.Options{}, 100},
		{"outstanding", tenant, listing.Options{Park: []park.State{park.Outstanding}}, 2000},
		{"nothing", tenant, listing.Options{Park: []park.State{park.Expired}}, 0},
	} {
		b.Run(c.name, func(b *testing.B) {
			var best []time.Duration
			for b.Loop() {
				best = timed(b, x, c.scope, c.options, c.rows, best)
			}
			b.ReportMetric(float64(slices.Max(best).Microseconds()), "µs-slowest-page")
		})
	}
}

// timed walks once, and keeps for each page the shortest time that it took.
func timed(b *testing.B, x *listing.Index, s listing.Scope, o listing.Options, want int, best []time.Duration) []time.Duration {
	rows := 0
	for i := 0; ; i++ {
		start := time.Now()
		page, err := x.Page(s, o)
		took := time.Since(start)
		require.NoError(b, err)
		if rows += len(page.Entries); i == len(best) {
			best = append(best, took)
		}
		best[i] = min(best[i], took)
		if o.Page = page.Next; o.Page == "" {
			require.Equal(b, want, rows)
			return best
		}
	}
}

func BenchmarkPut(b *testing.B) {
	for b.Loop() {
		hundredThousand(b)
	}
}
