package listing_test

import (
	"fmt"

	"github.com/tidemark-stream/tidemark/pkg/listing"
	"github.com/tidemark-stream/tidemark/pkg/park"
)

// A walk over what waits for a human, by pages of two.
func Example() {
	var x listing.Index
	for i := range 5 {
		run := listing.RunScope{TenantID: "acme", ProjectID: "web", SessionID: "s1", RunID: fmt.Sprint("turn_", i)}
		if err := x.Put(run, listing.Checkpoint{ID: "cp_1", CreatedAt: 1000}); err != nil {
			panic(err)
		}
		question := &park.Park{CheckpointID: "cp_1", Request: []byte(`{"type":"tool_review"}`), Resolved: i == 1}
		if err := x.SetParks(run, []*park.Park{question}); err != nil {
			panic(err)
		}
	}
	o := listing.Options{Park: []park.State{park.Outstanding}, Limit: 2, Now: 5000}
	for {
		page, err := x.Page(listing.Scope{TenantID: "acme"}, o)
		if err != nil {
			panic(err)
		}
		for _, e := range page.Entries {
			fmt.Println(e.RunID, "waits for a", e.Park.RequestType)
		}
		fmt.Println("page of", len(page.Entries))
		if o.Page = page.Next; o.Page == "" {
			break
		}
	}
	// Output:
	// turn_0 waits for a tool_review
	// turn_2 waits for a tool_review
	// page of 2
	// turn_3 waits for a tool_review
	// turn_4 waits for a tool_review
	// page of 2
}
