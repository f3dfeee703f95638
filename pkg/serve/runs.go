package serve

import (
	"math"
	"net/http"
	"net/url"
	"strconv"
	"strings"

	"github.com/tidemark-stream/tidemark/internal/rawjson"
	"github.com/tidemark-stream/tidemark/pkg/fault"
	"github.com/tidemark-stream/tidemark/pkg/listing"
)

// serveRuns answers a page of the runs that have durable state.
func (h *Handler) serveRuns(w http.ResponseWriter, r *http.Request) {
	query := r.URL.Query()
	scope := listing.Scope{TenantID: query.Get("tenant"), ProjectID: query.Get("project"), SessionID: query.Get("session")}
	if status := h.options.AuthorizeRuns(r, scope); status != 0 {
		writeDenied(w, status)
		return
	}
	page, err := h.runs(r, scope)
	if err != nil {
		h.fail(w, scope.SessionID, err)
		return
	}
	for _, u := range page.Unreadable {
		h.options.OnError(u.SessionID, u.Fault)
	}
	writeJSON(w, page.AppendJSON(nil))
}

func (h *Handler) runs(r *http.Request, scope listing.Scope) (page listing.Page, err error) {
	query, err := queryOf(r) // what is left out of it could be a level of the scope, or the filter
	if err != nil {
		return page, err
	}
	if err = listing.Check(scope); err != nil {
		return page, err
	}
	o, err := h.readListing(query)
	if err != nil {
		return page, err
	}
	if h.options.Listers == nil {
		return page, fault.New(fault.CannotList, "stores that list their runs", "none")
	}
	listers, err := h.options.Listers(r.Context(), scope)
	if err != nil {
		return page, err
	}
	page, err = new(listing.Index).Page(scope, o) // refuses what each of them would
	pages := []listing.Page{page}
	for _, l := range listers {
		if err == nil {
			page, err = l.List(r.Context(), scope, o)
			pages = append(pages, page)
		}
	}
	return listing.Merge(scope, o, pages...), err
}

// readListing reads park=, limit= and page= (R-404). park= may be repeated, or name
// several states with commas; of the others there is one, since two readers of the
// same request could take two scopes from it.
func (h *Handler) readListing(query url.Values) (o listing.Options, err error) {
	if err = once(query, "tenant", "project", "session", "limit", "page"); err != nil {
		return o, err
	}
	o.Now, o.Page = h.options.Clock(), query.Get("page")
	if o.Limit, err = h.readLimit(query.Get("limit")); err != nil {
		return o, err
	}
	if named, ok := query["park"]; ok {
		if o.Park, err = listing.StatesIn(named...); err != nil {
			return o, fault.New(fault.InvalidOptions, "park= with states of a park: outstanding, expired, resolved", strconv.Quote(fault.Clip([]byte(strings.Join(named, ",")))))
		}
	}
	return o, nil
}

func (h *Handler) readLimit(text string) (int, error) {
	if text == "" {
		return min(listing.DefaultLimit, h.options.MaxLimit), nil
	}
	n, err := strconv.ParseFloat(text, 64)
	if !rawjson.IsNumber([]byte(text)) || (err != nil && !math.IsInf(n, 0)) {
		return 0, fault.New(fault.InvalidOptions, "limit= as a number", strconv.Quote(fault.Clip([]byte(text))))
	}
	return listing.LimitOf(min(n, float64(h.options.MaxLimit))), nil
}
