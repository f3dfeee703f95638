package vectors

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
)

// Counts is how vectors came out. Skipped ones were not run at all.
type Counts struct {
	Passed, Failed, Skipped int
}

// String is the line that closes a report.
func (c Counts) String() string {
	return fmt.Sprintf("%d passed, %d failed, %d skipped", c.Passed, c.Failed, c.Skipped)
}

// Run runs all vectors of the paths, which are files or folders, and prints each
// failure to w with what was expected and what came out. A path or file that
// holds no vectors is a failure.
func Run(w io.Writer, paths ...string) Counts {
	r := report{out: w}
	for _, path := range paths {
		files, err := find(path)
		if err != nil {
			r.fail(path, "a vector file, or a folder of them", err.Error())
		}
		for _, file := range files {
			r.file(file)
		}
	}
	return r.counts
}

// report counts outcomes and prints the failures.
type report struct {
	out    io.Writer
	counts Counts
}

func (r *report) file(file string) {
	vectors, err := load(file)
	if err != nil {
		r.fail(file, "a file of vectors", err.Error())
		return
	}
	for _, v := range vectors {
		r.vector(file, v)
	}
}

func (r *report) vector(file string, v vector) {
	title := file + ": " + name(v)
	k, ok := kindOf(v)
	switch {
	case !ok:
		r.fail(title, "a vector of a known kind", "the keys "+strings.Join(sortedKeys(v), ", "))
	case k.run == nil:
		r.counts.Skipped++
	default:
		r.judge(title, k, v)
	}
}

func (r *report) judge(title string, k *kind, v vector) {
	if unknown := unknownKeys(encode(v), k.keys); len(unknown) > 0 {
		r.fail(title, "no unknown keys", strings.Join(unknown, ", "))
		return
	}
	wanted, err := k.wanted(v)
	if err != nil {
		r.fail(title, "an expectation", err.Error())
		return
	}
	got, err := try(k, v)
	if err != nil {
		r.fail(title, show(wanted), err.Error())
		return
	}
	for _, w := range wanted {
		if agrees(w, got) {
			r.counts.Passed++
			return
		}
	}
	r.fail(title, show(wanted), text(got))
}

// try runs a vector. A panic of the core is that vector's failure, not the end
// of the run.
func try(k *kind, v vector) (got any, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("panic: %v", p)
		}
	}()
	return k.run(v)
}

func (r *report) fail(title, expected, got string) {
	r.counts.Failed++
	fmt.Fprintf(r.out, "FAIL %s\n  expected %s\n  got      %s\n", title, short(expected), short(got))
}

// show is the expectation, or all that are as good.
func show(wanted []any) string {
	all := make([]string, len(wanted))
	for i, w := range wanted {
		all[i] = text(w)
	}
	return strings.Join(all, " or ")
}

func text(value any) string {
	b, err := json.Marshal(value)
	if err != nil {
		return fmt.Sprint(value) // a number that JSON has no form for
	}
	return string(b)
}

func short(s string) string {
	const most = 2000
	if len(s) > most {
		return s[:most] + "…"
	}
	return s
}

// oneOf reads the first member of v that is there as the one expectation.
func oneOf(v vector, names ...string) ([]any, error) {
	for _, n := range names {
		if v[n] != nil {
			return expectations(v[n])
		}
	}
	return nil, errors.New("no member " + strings.Join(names, " or "))
}

// expectations decodes outcomes that are equally good. One without members
// would agree with anything, and is refused.
func expectations(raws ...json.RawMessage) ([]any, error) {
	all := make([]any, 0, len(raws))
	for _, raw := range raws {
		value, err := decode(raw)
		if err != nil {
			return nil, err
		}
		if object, ok := value.(map[string]any); ok && len(object) == 0 {
			return nil, errors.New("one that expects nothing")
		}
		all = append(all, value)
	}
	return all, nil
}
