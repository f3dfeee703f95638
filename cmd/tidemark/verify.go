package main

import (
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"strings"

	"github.com/tidemark-stream/tidemark/internal/rawjson"
	"github.com/tidemark-stream/tidemark/pkg/checkpoint"
	"github.com/tidemark-stream/tidemark/pkg/events"
	"github.com/tidemark-stream/tidemark/pkg/fault"
	"github.com/tidemark-stream/tidemark/pkg/logfold"
)

const verifyHelp = `usage: tidemark verify [flags] LOG… | FOLDER… | URL | -
       tidemark verify [flags] LOG DOCUMENT.json… | RUNS…

Computes the digest chain of a log: SHA-256 over every byte of every record, from
the first to the last. With checkpoint documents, single or in folders, it says of
each whether it holds: whether the log commits it, and is up to there what it was
when the checkpoint was taken; else what was altered, the document, the log or the
record that commits it.

  --through SEQ  digest of the log up to this seq
  --json         one JSON object a line: a digest for each log, a verdict for each document

examples:
  tidemark verify s1.jsonl runs/s1
  curl -s https://…/v1/sessions/s1/records | tidemark verify -

exit codes: 0 all holds, 1 something is refused, or wrong with a log, 2 wrong usage, or
something could not be read
`

// verifyRun is one call of verify.
type verifyRun struct {
	*logCommand
	through uint64
	holds   int
	refused int
}

func runVerify(args []string, c console) int {
	var r verifyRun
	l, rest, code, done := begin("verify", verifyHelp, args, c, func(flags *flag.FlagSet) {
		flags.Uint64Var(&r.through, "through", 0, "")
	})
	if done {
		return code
	}
	r.logCommand = l
	logs, documents := split(rest)
	logs, problem := l.sources(logs)
	if problem == "" && len(documents) > 0 && len(logs) > 1 {
		problem = "documents are proven against one log, not " + plural(len(logs), "log")
	}
	if problem != "" {
		return l.misused(problem)
	}
	proofs, ok := r.readDocuments(documents)
	if !ok {
		return exitUsage
	}
	ctx, stop := l.interruptible()
	defer stop()
	for _, source := range logs {
		digest := &digest{through: events.Seq(r.through), proofs: proofs}
		if f := l.fold(ctx, source, logfold.Options{Each: digest.add}); f != nil {
			r.report(source, f, digest)
		}
	}
	if !r.json && len(proofs.documents) > 0 && r.worst < exitUsage {
		hold := "hold"
		if r.holds == 1 {
			hold = "holds"
		}
		fmt.Fprintf(r.out, "%d %s, %d refused\n", r.holds, hold, r.refused)
	}
	return r.worst
}

// split tells logs from documents: those end in .json, or are in a folder without
// logs.
func split(args []string) (logs, documents []string) {
	for _, arg := range args {
		if strings.HasSuffix(arg, ".json") || isFolder(arg) && len(logsIn(arg)) == 0 {
			documents = append(documents, arg)
		} else {
			logs = append(logs, arg)
		}
	}
	return logs, documents
}

// digest is the chain of a log, and the proofs that go along with it.
type digest struct {
	through events.Seq // 0: all of the log
	chain   checkpoint.Chain
	proofs  *proofs
}

func (d *digest) add(record []byte) {
	if d.through == 0 || d.chain.Seq() < d.through {
		d.chain.Add(record)
	}
	d.proofs.Add(record)
}

// proofs are those of all documents, in the order in which they were named.
type proofs struct {
	checkpoint.Proofs
	documents []*documentProof
}

// documentProof is a document on its way. It is looked for under the id that it says
// and under the one that its file is named by: one of the two may be damaged.
type documentProof struct {
	path   string
	ids    []string
	proofs []*checkpoint.Proof
}

func (r *verifyRun) readDocuments(paths []string) (all *proofs, ok bool) {
	all, ok = &proofs{}, true
	for _, path := range paths {
		files, err := documentsIn(path)
		for _, file := range files {
			var text []byte
			if text, err = os.ReadFile(file); err != nil {
				break
			}
			all.prove(file, text)
		}
		if err != nil {
			r.unreadableLog(path, causeOf(err))
			ok = false
		}
	}
	return all, ok
}

// documentsIn is the file itself, or all documents below a folder.
func documentsIn(path string) (files []string, err error) {
	if !isFolder(path) {
		return []string{path}, nil
	}
	err = filepath.WalkDir(path, func(file string, e fs.DirEntry, err error) error {
		if err == nil && !e.IsDir() && strings.HasSuffix(file, ".json") && e.Name()[0] != '.' {
			files = append(files, file)
		}
		return err
	})
	if err == nil && len(files) == 0 {
		err = errors.New("there are no documents in it: files <checkpoint>.json")
	}
	return files, err
}

// prove begins with one more document.
func (all *proofs) prove(path string, text []byte) {
	p := &documentProof{path: path}
	base := strings.TrimSuffix(filepath.Base(path), ".json")
	named, err := url.PathUnescape(base)
	if err != nil {
		named = base // no store names a file so, and without a proof nothing is refused
	}
	all.documents = append(all.documents, p)
	p.under(named, all.Prove(named, text))
	if d, err := checkpoint.Parse(text); err == nil && d.CheckpointID != named {
		p.under(d.CheckpointID, all.Prove(d.CheckpointID, text))
	}
}

func (p *documentProof) under(id string, proof *checkpoint.Proof) {
	p.ids = append(p.ids, id)
	p.proofs = append(p.proofs, proof)
}

// result is what the log says of the document, under whichever id it knows it.
func (p *documentProof) result() (id string, d checkpoint.Document, err error) {
	for i, proof := range p.proofs {
		id = p.ids[i]
		if d, err = proof.Result(); !errors.Is(err, fault.UnknownCheckpoint) {
			break
		}
	}
	return id, d, err
}

// report prints the digest of a log and what became of each document.
func (r *verifyRun) report(source string, f *logfold.Fold, d *digest) {
	wrong := r.findings(source, f)
	name, s := displayName(source), f.Standing()
	short := d.through > 0 && d.chain.Seq() != d.through
	good := wrong == 0 && !short
	switch {
	case short:
		r.ends(exitFound)
		r.say(false, name, s, d, fmt.Sprintf("the log ends at seq %d, before %d", s.LastSeq, d.through))
	case wrong > 0:
		r.say(false, name, s, d, "no digest of a whole log: records are wrong or missing")
	default:
		r.say(good, name, s, d, "")
	}
	for _, p := range d.proofs.documents {
		r.verdict(p)
	}
}

func (r *verifyRun) say(good bool, name string, s logfold.Standing, d *digest, why string) {
	if !r.json {
		fmt.Fprintf(r.out, "%s %s, %s, through seq %d\n", r.mark(good), safe(name+sessionWords(s)), plural(int(s.Records), "record"), d.chain.Seq())
		if good {
			why = "sha256 " + d.chain.Sum().String()
		}
		fmt.Fprintf(r.out, "  %s\n", why)
		return
	}
	w := rawjson.Begin(nil)
	w.Text("log", name)
	w.Text("session", s.Session)
	w.Int("records", s.Records)
	w.Bool("whole", good)
	if good {
		w.Int("throughSeq", int64(d.chain.Seq()))
		w.Text("sha256", d.chain.Sum().String())
	}
	w.Known("why", why)
	r.line(w.End())
}

// sessionWords name the session of a log that says it.
func sessionWords(s logfold.Standing) string {
	if s.Session == "" {
		return ""
	}
	return ": session " + s.Session
}

// verdict prints whether a document holds.
func (r *verifyRun) verdict(p *documentProof) {
	id, d, err := p.result()
	if err == nil {
		r.holds++
	} else {
		r.refused++
		r.ends(exitFound)
	}
	var f *fault.Fault
	if !errors.As(err, &f) {
		f = fault.New(fault.InternalFault, "", "")
	}
	switch rule := f.Rule(); {
	case r.json:
		r.line(verdictJSON(p.path, id, &d, f, err == nil))
	case err == nil:
		fmt.Fprintf(r.out, "%s %s: %s holds, through seq %d\n", r.mark(true), safe(p.path), safe(id), d.ThroughSeq)
	default:
		fmt.Fprintf(r.out, "%s %s: %s is refused, %s\n  %s%s\n  → %s\n", r.mark(false), safe(p.path), safe(id), rule.Name,
			rule.Message, particulars(f.Expected, f.Found), rule.Hint)
	}
}

func verdictJSON(path, id string, d *checkpoint.Document, f *fault.Fault, holds bool) []byte {
	w := rawjson.Begin(nil)
	w.Text("document", path)
	w.Text("checkpointId", id)
	w.Bool("holds", holds)
	if holds {
		w.Int("throughSeq", int64(d.ThroughSeq))
		w.Text("throughSha256", d.ThroughSHA256.String())
		return w.End()
	}
	w.Text("rule", f.ID.String())
	w.Known("expected", f.Expected)
	w.Known("found", f.Found)
	return w.End()
}
