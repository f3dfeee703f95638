package disk

import (
	"encoding/json"
	"errors"
	"io/fs"
	"os"

	"github.com/tidemark-stream/tidemark/internal/wholefile"
	"github.com/tidemark-stream/tidemark/pkg/events"
)

// state is what the lines of a log cannot say.
type state struct {
	Version       int               `json:"v"`
	Generation    events.Generation `json:"generation,omitempty"`    // the lease
	PrunedThrough events.Seq        `json:"prunedThrough,omitempty"` // everything up to here was pruned
}

// readState reads a state file; one that is not there is the zero state.
func readState(path string) (state, error) {
	text, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return state{}, nil
	}
	var s state
	if err == nil {
		err = json.Unmarshal(text, &s)
	}
	return s, err
}

// write replaces a state file as a whole.
func (s state) write(path string) error {
	s.Version = 1
	text, err := json.Marshal(s)
	if err != nil {
		return err
	}
	return wholefile.Replace(path, func(f *os.File) error {
		_, err := f.Write(append(text, '\n'))
		return err
	})
}
