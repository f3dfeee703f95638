package main

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"io"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/tidemark-stream/tidemark/pkg/checkpoint"
	"github.com/tidemark-stream/tidemark/pkg/durable"
	"github.com/tidemark-stream/tidemark/pkg/durable/disk"
	"github.com/tidemark-stream/tidemark/pkg/listing"
	"github.com/tidemark-stream/tidemark/pkg/park"
	"github.com/tidemark-stream/tidemark/pkg/serve"
	logs "github.com/tidemark-stream/tidemark/pkg/sessionlog/disk"
)

// durableFolder is a folder with the log of session s1 and the documents of its runs:
// t1 has two checkpoints and a question that was answered, t2 one and a question that
// is open until a minute after the last record, t3 a question that expired.
func durableFolder(t *testing.T) {
	t.Helper()
	t.Chdir(t.TempDir())
	ctx := t.Context()
	store, err := logs.New("sessions", logs.Options{NoSync: true})
	require.NoError(t, err)
	log, err := store.Create(ctx, "s1")
	require.NoError(t, err)
	lease, err := log.Acquire(ctx)
	require.NoError(t, err)
	documents, err := disk.New(filepath.Join("runs", "s1"), disk.Options{})
	require.NoError(t, err)
	ids := []string{"cp_1", "cp_2", "cp_3"}
	s, err := durable.New(durable.Options{Log: log, Lease: lease, Store: documents,
		Scope: listing.Scope{TenantID: "acme", ProjectID: "web"},
		NewID: func() string { id := ids[0]; ids = ids[1:]; return id }})
	require.NoError(t, err)
	turn := func(id string) {
		_, err := log.Append(ctx, lease, []byte(`{"type":"turn_started","turnId":"`+id+`","userMessageId":"m","config":{}}`))
		require.NoError(t, err)
		_, err = s.Commit(ctx, checkpoint.State{TurnID: id})
		require.NoError(t, err)
	}
	ask := func(turn, id string, ttl int64) {
		_, err := s.Park(ctx, durable.Question{TurnID: turn, CheckpointID: id, Request: []byte(`{"type":"plan_review"}`), TTL: &ttl})
		require.NoError(t, err)
	}
	turn("t1")
	turn("t1")
	ask("t1", "cp_2", 0)
	_, err = s.Answer(ctx, "cp_2", durable.Fence{Seq: 5, Generation: "1"}, []byte(`{"action":"approve_plan"}`), park.By{Kind: "user", Role: "admin"})
	require.NoError(t, err)
	turn("t2")
	ask("t3", "cp_9", 1)
	_, err = s.Expire(ctx, "cp_9")
	require.NoError(t, err)
	ask("t2", "cp_3", 60_000)
	require.NoError(t, store.Close())
}

const log1 = "sessions/s1.jsonl"

// jsonLines reads what a command printed with --json.
func jsonLines(t *testing.T, out string) (all []map[string]any) {
	t.Helper()
	for line := range strings.Lines(out) {
		var object map[string]any
		require.NoError(t, json.Unmarshal([]byte(line), &object), line)
		all = append(all, object)
	}
	return all
}

func TestParks(t *testing.T) {
	durableFolder(t)
	for args, want := range map[string][]string{
		log1 + " --now 0": {"sessions/s1.jsonl: session s1\n", "  resolved    cp_2  plan_review, turn t1\n", " at seq 5, approve_plan ", " at seq 6 by user admin\n",
			"  resolved    cp_9  plan_review, turn t3\n", " at seq 9, expiry recorded ", "  outstanding cp_3  plan_review, turn t2\n", " at seq 11, deadline ",
			"1 outstanding, 0 expired, 2 resolved in 1 log\n"},
		"--now 9999-01-01T00:00:00Z sessions":       {"  expired     cp_3", "no expiry is recorded yet", "0 outstanding, 1 expired, 2 resolved in 1 log\n"},
		log1 + " --turn t1":                         {"cp_2", "0 outstanding, 0 expired, 1 resolved in 1 log\n"},
		log1 + " --now 0 --park outstanding":        {"cp_3", "1 outstanding, 0 expired, 0 resolved in 1 log\n"},
		log1 + " --now 0 --park=":                   {"0 outstanding, 0 expired, 0 resolved in 1 log\n"},
		log1 + " --now 0 --park expired":            {"0 outstanding, 0 expired, 0 resolved in 1 log\n"},
		"sessions --turn none " + log1 + " --now 7": {"0 outstanding, 0 expired, 0 resolved in 2 logs\n"},
	} {
		code, out, errs := invoke(append([]string{"parks"}, strings.Fields(args)...)...)
		assert.Equal(t, exitOK, code, "%s\n%s", args, errs)
		assert.Empty(t, errs)
		for _, text := range want {
			assert.Contains(t, out, text, args)
		}
	}
}

func TestParksAsJSON(t *testing.T) {
	durableFolder(t)
	code, out, _ := invoke("parks", log1, "--json", "--now", "0")
	require.Equal(t, exitOK, code)
	lines := jsonLines(t, out)
	require.Len(t, lines, 4)
	require.Equal(t, "cp_2", lines[0]["decisionId"])
	require.Equal(t, map[string]any{"action": "approve_plan"}, lines[0]["decision"])
	require.Equal(t, false, lines[0]["expired"])
	require.Equal(t, true, lines[1]["expired"])
	require.Equal(t, "outstanding", lines[2]["state"])
	require.Contains(t, lines[2], "deadlineAt")
	require.NotContains(t, lines[2], "resolvedAt")
	require.Equal(t, "1", lines[2]["generation"])
	require.InDelta(t, 2, lines[3]["resolved"], 0)
	require.InDelta(t, 0, lines[3]["findings"], 0)
}

// Standard input, a packed log and a server's records say the same as the file.
func TestLogsFromElsewhere(t *testing.T) {
	durableFolder(t)
	text, err := os.ReadFile(log1)
	require.NoError(t, err)
	var packed bytes.Buffer
	z := gzip.NewWriter(&packed)
	_, err = z.Write(text)
	require.NoError(t, err)
	require.NoError(t, z.Close())
	require.NoError(t, os.WriteFile("s1.jsonl.gz", packed.Bytes(), 0o644))
	store, err := logs.New("sessions", logs.Options{ReadOnly: true})
	require.NoError(t, err)
	server := httptest.NewServer(serve.New(store, serve.Options{}))
	t.Cleanup(server.Close)
	var want string
	for i, source := range []string{log1, "s1.jsonl.gz", server.URL + "/v1/sessions/s1/records", "-"} {
		var out, errs bytes.Buffer
		code := run([]string{"verify", source, "runs/s1"}, console{bytes.NewReader(text), &out, &errs})
		require.Equal(t, exitOK, code, "%s\n%s%s", source, out.String(), errs.String())
		_, rest, _ := strings.Cut(out.String(), ": session")
		if i == 0 {
			want = rest
		}
		require.Equal(t, want, rest, source)
	}
	require.Contains(t, want, "11 records, through seq 11\n  sha256 ")
	require.Contains(t, want, "3 hold, 0 refused\n")
}

// counting counts the bytes that are read of a log.
type counting struct {
	io.Reader
	bytes int
}

func (c *counting) Read(p []byte) (int, error) {
	n, err := c.Reader.Read(p)
	c.bytes += n
	return n, err
}

// However many documents there are, the log is read once.
func TestVerifyReadsTheLogOnce(t *testing.T) {
	durableFolder(t)
	text, err := os.ReadFile(log1)
	require.NoError(t, err)
	log := &counting{Reader: bytes.NewReader(text)}
	var out, errs bytes.Buffer
	require.Equal(t, exitOK, run([]string{"verify", "-", "runs/s1"}, console{log, &out, &errs}), errs.String())
	require.Contains(t, out.String(), "3 hold, 0 refused\n")
	require.Equal(t, len(text), log.bytes)
}

func TestRuns(t *testing.T) {
	durableFolder(t)
	folder := "runs/s1 --tenant acme --project web --session s1 --log " + log1
	for args, want := range map[string][]string{
		"sessions --now 0":                     {"t1, session s1\n  2 checkpoints, newest cp_2 of ", "  resolved: plan_review, asked ", "t2, session s1\n  1 checkpoint, newest cp_3", "  outstanding: ", "2 runs\n"},
		folder + " --now 0":                    {"t1, session s1\n  2 checkpoints, newest cp_2 of ", "  resolved: ", "  outstanding: ", "2 runs\n"},
		log1 + " --park resolved":              {"t1, session s1", "1 run\n"},
		log1 + " --park expired --now 0":       {"0 runs\n"},
		log1 + " --park=":                      {"0 runs\n"},
		folder + " --park outstanding --now 0": {"t2, session s1", "1 run\n"},
		log1 + " --session other":              {"0 runs\n"},
		log1 + " --limit 1":                    {"t1, session s1", "1 run; there are more: --page "},
		log1 + " --limit 0.5":                  {"1 run; there are more: --page "},
		"--json --tenant acme " + log1:         {`{"entries":[{"tenantId":"acme","projectId":"-","sessionId":"s1","runId":"t1",`},
	} {
		code, out, errs := invoke(append([]string{"runs"}, strings.Fields(args)...)...)
		assert.Equal(t, exitOK, code, "%s\n%s", args, errs)
		for _, text := range want {
			assert.Contains(t, out, text, args)
		}
	}
}

// a document that cannot be read is named apart, and hides nothing.
func TestRunsWithAnUnreadableDocument(t *testing.T) {
	durableFolder(t)
	require.NoError(t, os.WriteFile("runs/s1/t1/cp_1.json", []byte("{}"), 0o644))
	require.NoError(t, os.WriteFile("runs/s1/t2/cp_3.json", []byte("["), 0o644))
	args := strings.Fields("runs runs/s1 --tenant acme --project web --session s1 --now 0 --log " + log1)
	code, out, errs := invoke(args...)
	require.Equal(t, exitFound, code, errs)
	for _, text := range []string{
		"t1, session s1\n  1 checkpoint, newest cp_2 of ", "✗ t1, session s1: cp_1 cannot be read, durable.bad_document",
		"✗ t2, session s1: cp_3 cannot be read, durable.bad_document", "\n1 run\n",
	} {
		require.Contains(t, out, text)
	}
	code, out, errs = invoke(append(args, "--json")...)
	require.Equal(t, exitFound, code, errs)
	page := jsonLines(t, out)[0]
	require.Len(t, page["entries"], 1)
	require.Len(t, page["unreadable"], 2)
}

func TestRunsPageByPage(t *testing.T) {
	durableFolder(t)
	_, out, _ := invoke("runs", log1, "--limit", "1", "--json")
	token := jsonLines(t, out)[0]["page"].(string)
	code, out, _ := invoke("runs", log1, "--limit", "1", "--json", "--page", token)
	require.Equal(t, exitOK, code)
	page := jsonLines(t, out)[0]
	require.Equal(t, "t2", page["entries"].([]any)[0].(map[string]any)["runId"])
	require.NotContains(t, page, "page")
}

// alter changes a file as sed would.
func alter(t *testing.T, path, from, to string) {
	t.Helper()
	text, err := os.ReadFile(path)
	require.NoError(t, err)
	require.Contains(t, string(text), from)
	require.NoError(t, os.WriteFile(path, []byte(strings.Replace(string(text), from, to, 1)), 0o644))
}

// What was altered is named: the document, the log, the record that commits.
func TestVerifyNamesWhatWasAltered(t *testing.T) {
	const cp1, cp2 = "runs/s1/t1/cp_1.json", "runs/s1/t1/cp_2.json"
	for name, c := range map[string]struct {
		path, from, to string
		args           string
		want           []string
		code           int
	}{
		"nothing":           {log1, `m`, `m`, log1 + " runs/s1", []string{"✓ " + cp1 + ": cp_1 holds, through seq 1\n", "✓ " + cp2 + ": cp_2 holds, through seq 3\n", "3 hold, 0 refused\n"}, exitOK},
		"one document":      {log1, `m`, `m`, log1 + " " + cp1, []string{"\n1 holds, 0 refused\n"}, exitOK},
		"a document":        {cp2, `"iteration":0`, `"iteration":1`, log1 + " runs/s1", []string{"✓ " + cp1, "✗ " + cp2 + ": cp_2 is refused, durable.document_altered\n", "2 hold, 1 refused\n"}, exitFound},
		"its id":            {cp2, `cp_2`, `cp_7`, log1 + " " + cp2, []string{": cp_2 is refused, durable.document_altered\n"}, exitFound},
		"one that is none":  {cp2, `{`, `[`, log1 + " " + cp2, []string{": cp_2 is refused, durable.document_altered\n"}, exitFound},
		"the covered part":  {log1, `"userMessageId":"m"`, `"userMessageId":"n"`, log1 + " " + cp1, []string{"durable.prefix_altered\n", "0 hold, 1 refused\n"}, exitFound},
		"the record":        {log1, `"throughSeq":1`, `"throughSeq":2`, log1 + " " + cp1, []string{"durable.receipt_altered\n"}, exitFound},
		"a record is gone":  {log1, "\n", "", log1, []string{"no digest of a whole log"}, exitFound},
		"not of this log":   {cp2, `t1`, `t1`, "- " + cp2, []string{"durable.unknown_checkpoint\n", "0 hold, 1 refused\n"}, exitFound},
		"a part of the log": {log1, `m`, `m`, log1 + " --through 3", []string{"11 records, through seq 3\n  sha256 "}, exitOK},
		"beyond its end":    {log1, `m`, `m`, log1 + " --through 12", []string{"the log ends at seq 11, before 12"}, exitFound},
	} {
		t.Run(name, func(t *testing.T) {
			durableFolder(t)
			alter(t, c.path, c.from, c.to)
			code, out, errs := invoke(append([]string{"verify"}, strings.Fields(c.args)...)...)
			require.Equal(t, c.code, code, "%s%s", out, errs)
			for _, text := range c.want {
				require.Contains(t, out, text)
			}
		})
	}
}

// No byte of the covered part of a log, nor of a document, can change unseen.
func TestVerifyRefusesEveryByte(t *testing.T) {
	durableFolder(t)
	const document = "runs/s1/t1/cp_1.json"
	whole, err := os.ReadFile(log1)
	require.NoError(t, err)
	covered := bytes.IndexByte(whole, '\n') + 1 // the first record and its end
	for path, bytesOf := range map[string]int{log1: covered, document: -1} {
		text, err := os.ReadFile(path)
		require.NoError(t, err)
		if bytesOf < 0 {
			bytesOf = len(text)
		}
		for i := range bytesOf {
			altered := bytes.Clone(text)
			altered[i] ^= 1
			require.NoError(t, os.WriteFile(path, altered, 0o644))
			code, out, errs := invoke("verify", log1, document)
			require.Equal(t, exitFound, code, "byte %d of %s: %s%s", i, path, out, errs)
			require.Contains(t, out, "0 hold, 1 refused\n", "byte %d of %s", i, path)
		}
		require.NoError(t, os.WriteFile(path, text, 0o644))
	}
	code, out, _ := invoke("verify", log1, document)
	require.Equal(t, exitOK, code, out)
}

// A document whose file has another name is proven under the id that it says, unless its
// name is that of another checkpoint: a store would read it as that one.
func TestVerifyARenamedDocument(t *testing.T) {
	durableFolder(t)
	require.NoError(t, os.Rename("runs/s1/t1/cp_2.json", "renamed.json"))
	code, out, _ := invoke("verify", log1, "renamed.json")
	assert.Equal(t, exitOK, code, out)
	assert.Contains(t, out, "✓ renamed.json: cp_2 holds, through seq 3\n1 holds, 0 refused\n")
	require.NoError(t, os.Rename("renamed.json", "runs/s1/t1/cp_1.json"))
	code, out, _ = invoke("verify", log1, "runs/s1/t1/cp_1.json")
	assert.Equal(t, exitFound, code, out)
	assert.Contains(t, out, "cp_1 is refused, durable.document_altered\n")
}

// A file that no checkpoint is named by, with a text that is none, holds nothing.
func TestVerifyRefusesWhatHasNoName(t *testing.T) {
	durableFolder(t)
	require.NoError(t, os.WriteFile("%zz.json", []byte("no document"), 0o600))
	code, out, _ := invoke("verify", log1, "%zz.json")
	assert.Equal(t, exitFound, code, out)
	assert.Contains(t, out, "✗ %zz.json: %zz is refused")
	assert.Contains(t, out, "0 hold, 1 refused")
}

func TestVerifyAsJSON(t *testing.T) {
	durableFolder(t)
	alter(t, "runs/s1/t1/cp_2.json", `"iteration":0`, `"iteration":1`)
	code, out, _ := invoke("verify", "--json", log1, "runs/s1")
	require.Equal(t, exitFound, code)
	lines := jsonLines(t, out)
	require.Len(t, lines, 4)
	require.Equal(t, true, lines[0]["whole"])
	require.Len(t, lines[0]["sha256"], 64)
	require.Equal(t, true, lines[1]["holds"])
	require.Equal(t, "durable.document_altered", lines[2]["rule"])
	require.NotContains(t, lines[2], "throughSha256")
	_, alone, _ := invoke("verify", "--json", log1, "--through", "1")
	require.Equal(t, lines[1]["throughSha256"], jsonLines(t, alone)[0]["sha256"])
}

// A damaged log is read as far as it goes, and the exit code says so.
func TestDamagedLogs(t *testing.T) {
	for _, name := range []string{"parks", "runs", "verify"} {
		t.Run(name, func(t *testing.T) {
			durableFolder(t)
			alter(t, log1, `{`, "\x1b{")
			code, out, _ := invoke(name, log1)
			require.Equal(t, exitFound, code)
			require.Contains(t, out, "✗ sessions/s1.jsonl line 1: ")
			require.Contains(t, out, "tidemark check sessions/s1.jsonl")
			require.NotContains(t, out, "\x1b")
			code, out, _ = invoke(name, log1, "--json")
			require.Equal(t, exitFound, code)
			require.Equal(t, "durable.bad_record", jsonLines(t, out)[0]["rule"])
		})
	}
}

func TestDurableCommandsAreToldNonsense(t *testing.T) {
	durableFolder(t)
	require.NoError(t, os.Mkdir("empty", 0o755))
	for args, want := range map[string]string{
		"parks":                            "needs a log",
		"parks empty":                      "empty has no logs in it",
		"parks --jsno " + log1:             "there is no flag --jsno; did you mean --json?",
		"parks --now yesterday " + log1:    "invalid value \"yesterday\" for --now: as in 2026-01-01T00:00:00Z",
		"parks " + log1 + " --turn":        "nothing stands behind --turn",
		"runs --limit many " + log1:        "invalid value \"many\" for --limit: not a number it takes",
		"verify --through -1 " + log1:      "invalid value \"-1\" for --through: not a number it takes",
		"parks --park lost " + log1:        "states are outstanding, expired and resolved",
		"parks nowhere.jsonl":              "nowhere.jsonl: there is no such file",
		"verify":                           "needs a log",
		"verify runs/s1":                   "needs a log",
		"verify nowhere.jsonl":             "there is no such file",
		"verify " + log1 + " nowhere.json": "there is no such file",
		"verify " + log1 + " empty":        "there are no documents in it",
		"verify " + log1 + " - runs/s1":    "against one log, not 2 logs",
		"verify --through x " + log1:       "through",
		"runs":                             "needs a log",
		"runs nowhere.jsonl":               "there is no such file",
		"runs runs/s1":                     "name --tenant, --project and --session",
		"runs runs/s1 --tenant a --project b --session s1":                  "--log LOG names the log",
		"runs " + log1 + " --page x":                                        "--page takes the token",
		"runs " + log1 + " --log " + log1:                                   "--log goes with a folder",
		"runs " + log1 + " --limit many":                                    "limit",
		"runs runs/s1 --tenant a --project b --session s1 --log none.jsonl": "none.jsonl: there is no such file",
	} {
		code, out, errs := invoke(strings.Fields(args)...)
		assert.Equal(t, exitUsage, code, args)
		assert.Contains(t, errs, want, args)
		assert.Empty(t, out, args)
	}
}
