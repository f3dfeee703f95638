package vectors

import (
	"context"
	"encoding/json"
	"errors"
	"maps"
	"os"
	"path/filepath"
	"slices"

	"github.com/tidemark-stream/tidemark/pkg/checkpoint"
	"github.com/tidemark-stream/tidemark/pkg/durable"
	"github.com/tidemark-stream/tidemark/pkg/durable/disk"
	"github.com/tidemark-stream/tidemark/pkg/durable/memory"
	"github.com/tidemark-stream/tidemark/pkg/listing"
	"github.com/tidemark-stream/tidemark/pkg/park"
)

// Vectors about listings that run against the stores themselves.

func runListingMemory(v vector) (any, error) {
	m := kept{Store: memory.New(), parks: map[listing.Key]map[string]*park.Park{}}
	for _, write := range objects(v.list("writes")) {
		if err := m.write(runOf(write.object("scope")), write.list("checkpoints")); err != nil {
			return nil, err
		}
	}
	for _, d := range objects(v.list("deletes")) {
		if err := m.delete(runOf(d.object("scope")), d["checkpointId"]); err != nil {
			return nil, err
		}
	}
	return pageOf(v, m.List)
}

// kept is a store, and the parks that a vector keeps with the checkpoints of each
// run, by checkpoint id.
type kept struct {
	*memory.Store
	parks map[listing.Key]map[string]*park.Park
}

func (m *kept) write(r listing.RunScope, list []json.RawMessage) error {
	held := m.parks[r.Key()]
	if held == nil {
		held = map[string]*park.Park{}
		m.parks[r.Key()] = held
	}
	checkpoints, parks := checkpointsOf(list)
	for _, c := range checkpoints {
		delete(held, c.ID)
	}
	for _, p := range parks {
		held[p.CheckpointID] = p
	}
	return errors.Join(putAll(m, r, checkpoints), m.setParks(r))
}

func (m *kept) delete(r listing.RunScope, checkpointID json.RawMessage) error {
	id, _ := textOf(checkpointID)
	delete(m.parks[r.Key()], id)
	return errors.Join(m.Delete(context.Background(), r, id), m.setParks(r))
}

func (m *kept) setParks(r listing.RunScope) error {
	return m.SetParks(r, inOrder(slices.Collect(maps.Values(m.parks[r.Key()]))))
}

// putAll puts documents that are nothing but an id and a time.
func putAll(s durable.Store, r listing.RunScope, checkpoints []listing.Checkpoint) error {
	for _, c := range checkpoints {
		d := checkpoint.Document{CheckpointID: c.ID, SessionID: r.SessionID, ThroughSeq: 1, CreatedAt: c.CreatedAt, State: checkpoint.State{TurnID: r.RunID}}
		if _, err := s.Put(context.Background(), r, c.ID, d.AppendJSON(nil)); err != nil {
			return err
		}
	}
	return nil
}

// runListingDisk lists a tree of runs with their children. The folder is filled by
// a store that knows whose it is, and listed by one that knows what the vector says.
func runListingDisk(v vector) (any, error) {
	base, err := os.MkdirTemp("", "vectors-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(base)
	f := filled{base: base, of: listing.Scope{TenantID: "ten_a", ProjectID: "prj_a", SessionID: "ses_a"}}
	for id, tree := range v.object("tree") {
		r := members{"": tree}.object("")
		if err := f.put(id, "", r.list("checkpoints")); err != nil {
			return nil, err
		}
		for child := range r.object("children") {
			if err := f.put(child, id, r.object("children").list(child)); err != nil {
				return nil, err
			}
		}
	}
	store, err := disk.New(base, disk.Options{Of: scopeOf(v.object("attribution")), Parks: f.all})
	if err != nil {
		return nil, err
	}
	return pageOf(v, store.List)
}

// filled is a folder of runs, and the parks that a vector keeps with them.
type filled struct {
	base  string
	of    listing.Scope
	parks []*park.Park
}

func (f *filled) all(context.Context) ([]*park.Park, error) { return inOrder(f.parks), nil }

// put fills the folder of a run, which is there also when it is a shell.
func (f *filled) put(id, parent string, list []json.RawMessage) error {
	folder := filepath.Join(f.base, id)
	if parent != "" {
		folder = filepath.Join(f.base, parent, "children", id)
	}
	store, err := disk.New(f.base, disk.Options{Of: f.of})
	if err = errors.Join(err, os.MkdirAll(folder, 0o755)); err != nil {
		return err
	}
	checkpoints, parks := checkpointsOf(list)
	for _, p := range parks {
		p.TurnID = id
		f.parks = append(f.parks, p)
	}
	r := within(f.of, listing.RunScope{RunID: id, ParentRunID: parent})
	return putAll(store, r, checkpoints)
}
