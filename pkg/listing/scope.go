package listing

import (
	"github.com/tidemark-stream/tidemark/internal/codeunit"
	"github.com/tidemark-stream/tidemark/pkg/fault"
)

// Scope is what a listing is about: a tenant, or a project of it, or a session of
// that. "" means absent.
type Scope struct {
	TenantID  string
	ProjectID string
	SessionID string
}

// RunScope names one run. All but ParentRunID are needed. In the session model a
// run is a turn.
type RunScope struct {
	TenantID    string
	ProjectID   string
	SessionID   string
	RunID       string
	ParentRunID string // the run that started it; "" for none. No part of what tells runs apart
}

// Check refuses a scope that skips a level, with [fault.ScopeHole]. It is not
// widened to the level above: what a listing holds must not depend on how a store
// keeps it.
func Check(s Scope) error {
	switch {
	case s.TenantID == "":
		return fault.New(fault.ScopeHole, "a tenant", "none")
	case s.ProjectID == "" && s.SessionID != "":
		return fault.New(fault.ScopeHole, "the project of the session", "a session without one")
	}
	return nil
}

// Holds reports whether a run is within the scope.
func (s Scope) Holds(r RunScope) bool {
	return s.TenantID == r.TenantID &&
		(s.ProjectID == "" || s.ProjectID == r.ProjectID) &&
		(s.SessionID == "" || s.SessionID == r.SessionID)
}

// Meets reports whether two scopes have runs in common.
func (s Scope) Meets(o Scope) bool {
	return same(s.TenantID, o.TenantID) && same(s.ProjectID, o.ProjectID) && same(s.SessionID, o.SessionID)
}

func same(a, b string) bool { return a == "" || b == "" || a == b }

// Check refuses the name of a run that lacks a level, with [fault.ScopeHole].
func (r RunScope) Check() error {
	for _, level := range []struct{ name, id string }{
		{"tenant", r.TenantID}, {"project", r.ProjectID}, {"session", r.SessionID}, {"run", r.RunID},
	} {
		if level.id == "" {
			return fault.New(fault.ScopeHole, "a run with tenant, project, session and run", "no "+level.name)
		}
	}
	return nil
}

// Scope is the narrowest scope that holds the run: its session.
func (r RunScope) Scope() Scope { return Scope{r.TenantID, r.ProjectID, r.SessionID} }

// Key is the place of the run in every listing.
func (r RunScope) Key() Key { return Key{r.RunID, r.TenantID, r.ProjectID, r.SessionID} }

// Key tells runs apart, in the order that counts. Two tenants may have a
// run of the same id. The zero Key stands before every run.
type Key struct {
	RunID     string
	TenantID  string
	ProjectID string
	SessionID string
}

// Compare answers -1, 0 or 1, by the code units of UTF-16, which for plain ids is
// the order of the bytes.
func (k Key) Compare(o Key) int {
	for _, pair := range [...][2]string{
		{k.RunID, o.RunID}, {k.TenantID, o.TenantID}, {k.ProjectID, o.ProjectID}, {k.SessionID, o.SessionID},
	} {
		if c := codeunit.Compare(pair[0], pair[1]); c != 0 {
			return c
		}
	}
	return 0
}
