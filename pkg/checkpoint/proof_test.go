package checkpoint_test

import (
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tidemark-stream/tidemark/pkg/checkpoint"
	"github.com/tidemark-stream/tidemark/pkg/fault"
)

//
func TestACommittedDocumentIsProven(t *testing.T) {
	lines, document := committed()
	p := checkpoint.Prove("c1", document)
	for _, l := range lines {
		p.Add([]byte(l))
	}
	d, err := p.Result()
	require.NoError(t, err)
	require.Equal(t, start(lines[:3]), d)
	require.Equal(t, seqOf(3), p.Through())
	require.NoError(t, proven(lines[:4], document), "nothing needs to follow")
}

// whatever byte of the document changes.
func TestAnyByteOfTheDocument(t *testing.T) {
	lines, document := committed()
	for at := range document {
		flips(string(document), at, func(text string) {
			requireFault(t, proven(lines, []byte(text)), fault.DocumentAltered, text)
		})
		requireFault(t, proven(lines, document[:at]), fault.DocumentAltered, "cut at %d", at)
	}
	requireFault(t, proven(lines, append(document, '\n')), fault.DocumentAltered)
}

// whatever byte of the covered part changes, the breaks between the
// lines included.
func TestAnyByteOfThePrefix(t *testing.T) {
	lines, document := committed()
	prefix := strings.Join(lines[:3], "\n")
	for at := range prefix {
		flips(prefix, at, func(text string) {
			requireFault(t, proven(append(strings.Split(text, "\n"), lines[3:]...), document), fault.PrefixAltered, text)
		})
	}
	for i := range 3 {
		without := append(append([]string{}, lines[:i]...), lines[i+1:]...)
		requireFault(t, proven(without, document), fault.PrefixAltered, "without record %d", i+1)
	}
	swapped := []string{lines[1], lines[0], lines[2], lines[3]}
	requireFault(t, proven(swapped, document), fault.PrefixAltered)
}

// whatever byte of the committing record changes, but for the digits of the
// time at which the log took it: those are no part of what is committed, and only
// the next checkpoint covers them.
func TestAnyByteOfTheCommittingRecord(t *testing.T) {
	lines, document := committed()
	record := lines[3]
	free := timeDigits(record)
	require.Len(t, free, len("20260101000004000"))
	tried := 0
	for at := range record {
		flips(record, at, func(text string) {
			tried++
			err := proven(append(append([]string{}, lines[:3]...), append(strings.Split(text, "\n"), lines[4])...), document)
			if free[at] && err == nil {
				require.Regexp(t, `"ts":"\d{4}-\d\d-\d\dT`, text, "it is another time, and nothing else")
				return
			}
			requireFault(t, err, fault.ReceiptAltered, text)
		})
	}
	require.Greater(t, tried, 8*len(record))
}

// The same while nothing stands behind the record. Then its generation, raised, is
// that of a takeover which nobody can know of.
func TestAnyByteOfTheLastRecord(t *testing.T) {
	lines, document := committed()
	record := lines[3]
	free := timeDigits(record)
	generation := strings.Index(record, `"gen":`) + len(`"gen":`)
	for at := range record {
		flips(record, at, func(text string) {
			err := proven(append(lines[:3:3], strings.Split(text, "\n")...), document)
			if free[at] && err == nil || at == generation && text[at] > '2' && err == nil {
				return
			}
			requireFault(t, err, fault.ReceiptAltered, text)
		})
	}
}

func timeDigits(record string) map[int]bool {
	free := map[int]bool{}
	span := regexp.MustCompile(`"ts":"[^"]*"`).FindStringIndex(record)
	for at := span[0]; at < span[1]; at++ {
		if c := record[at]; c >= '0' && c <= '9' {
			free[at] = true
		}
	}
	return free
}

// without its record a document does not exist.
func TestWithoutARecord(t *testing.T) {
	lines, document := committed()
	requireFault(t, proven(lines[:3], document), fault.UnknownCheckpoint)
	requireFault(t, proven(nil, document), fault.UnknownCheckpoint)
	other := strings.NewReplacer(`"c1"`, `"c2"`, checkpoint.SumOf(document).String(), checkpoint.SumOf(nil).String()).Replace(lines[3])
	requireFault(t, proven(append(lines[:3:3], other), document), fault.UnknownCheckpoint, "that of another checkpoint")
	elsewhere := strings.Replace(other, `"turnId":"t1"`, `"turnId":"c1"`, 1)
	requireFault(t, proven(append(lines[:3:3], elsewhere), document), fault.UnknownCheckpoint, "another one, of a turn that is called like this one")
	says := line(4, `message,"messageId":"m2","content":"the digest is `+checkpoint.SumOf(document).String()+`"`)
	requireFault(t, proven(append(lines[:3:3], says), document), fault.UnknownCheckpoint, "who speaks of a digest commits nothing")
}

// one that a record says was pruned does not exist either.
func TestPrunedIsGone(t *testing.T) {
	lines, document := committed()
	requireFault(t, proven(append(lines, line(6, `checkpoint_pruned,"checkpointIds":["c0","c1"]`)), document), fault.UnknownCheckpoint)
	require.NoError(t, proven(append(lines, line(6, `checkpoint_pruned,"checkpointIds":["c0"]`)), document))
	again := strings.Replace(lines[3], `"seq":4`, `"seq":7`, 1)
	require.NoError(t, proven(append(lines, line(6, `checkpoint_pruned,"checkpointIds":["c1"]`), again), document), "until it is committed again")
}

// A log that nobody ever took a lease of has checkpoints too, and one that a lease
// was taken of later.
func TestProofWithoutGenerations(t *testing.T) {
	lines, document := committed()
	c := checkpoint.Chain{}
	for i, l := range lines[:3] {
		lines[i] = strings.Replace(l, `"gen":2,`, "", 1)
		c.Add([]byte(lines[i]))
	}
	d, err := checkpoint.Parse(document)
	require.NoError(t, err)
	d.ThroughSHA256 = c.Sum()
	again := d.AppendJSON(nil)
	receipt, err := checkpoint.ReceiptOf(again)
	require.NoError(t, err)
	stamped := `"type":"checkpoint_written","seq":4,"ts":"2026-01-01T00:00:00Z","sessionId":"s1",`
	lines[3] = strings.Replace(string(receipt.AppendWritten(nil, "t1")), `"type":"checkpoint_written",`, stamped, 1)
	require.NoError(t, proven(lines, again))
	require.NoError(t, proven(append(lines[:4:4], strings.Replace(lines[4], `"gen":2,`, "", 1)), again))
}

// The document of another checkpoint, under this id: nothing was altered, and no
// record commits this one.
func TestTheWrongDocument(t *testing.T) {
	lines, document := committed()
	p := checkpoint.Prove("c2", document)
	for _, l := range lines {
		p.Add([]byte(l))
	}
	_, err := p.Result()
	requireFault(t, err, fault.UnknownCheckpoint)
}

func TestWhatAnotherDocumentSays(t *testing.T) {
	lines, document := committed()
	for name, c := range map[string]struct {
		from, to string
		id       fault.ID
	}{
		"another log":           {`"message"`, `"massage"`, fault.PrefixAltered},
		"another document":      {`"sha256":"`, `"sha256":"` + strings.Repeat("0", 64) + `","was":"`, fault.DocumentAltered},
		"another turn":          {`"turnId":"t1","check`, `"turnId":"t2","check`, fault.ReceiptAltered},
		"another session":       {`"sessionId":"s1","turnId":"t1","check`, `"sessionId":"s2","turnId":"t1","check`, fault.ReceiptAltered},
		"a lower seq":           {`"seq":4`, `"seq":3`, fault.ReceiptAltered},
		"a fallen generation":   {`"seq":4,"gen":2`, `"seq":4,"gen":1`, fault.ReceiptAltered},
		"no generation":         {`"seq":4,"gen":2,`, `"seq":4,`, fault.ReceiptAltered},
		"a raised generation":   {`"seq":4,"gen":2`, `"seq":4,"gen":3`, fault.ReceiptAltered},
		"a member twice":        {`"throughSeq":3`, `"throughSeq":3,"throughSeq":3`, fault.ReceiptAltered},
		"fewer records":         {lines[1] + "\n", "", fault.PrefixAltered},
		"a member of a store":   {`"throughSeq":3`, `"throughSeq":3,"bucket":"b"`, 0},
		"no session":            {`"sessionId":"s1","turnId":"t1","check`, `"turnId":"t1","check`, 0},
		"the event of a record": {`"seq":4,"gen":2`, `"seq":4,"generation":2`, 0},
	} {
		t.Run(name, func(t *testing.T) {
			text := strings.Replace(strings.Join(lines, "\n"), c.from, c.to, 1)
			err := proven(strings.Split(text, "\n"), document)
			if c.id == 0 {
				require.NoError(t, err)
				return
			}
			requireFault(t, err, c.id)
		})
	}
}

// Verify is what the proof asks of one record and one chain.
func TestVerify(t *testing.T) {
	lines, document := committed()
	d, err := checkpoint.Verify(document, []byte(lines[3]), chained(lines[:3]))
	require.NoError(t, err)
	require.Equal(t, "c1", d.CheckpointID)
	_, err = checkpoint.Verify(document, []byte(lines[3]), chained(lines[:2]))
	requireFault(t, err, fault.PrefixAltered)
	_, err = checkpoint.Verify(document, []byte(lines[2]), chained(lines[:3]))
	requireFault(t, err, fault.ReceiptAltered)

	_, err = checkpoint.Verify(document, []byte(strings.Replace(lines[3], `"seq":4`, `"seq":3`, 1)), chained(lines[:3]))
	requireFault(t, err, fault.ReceiptAltered, "a record inside of what it covers")

	text := []byte(`{"v":1}`)
	record := strings.Replace(lines[3], checkpoint.SumOf(document).String(), checkpoint.SumOf(text).String(), 1)
	_, err = checkpoint.Verify(text, []byte(record), chained(lines[:3]))
	requireFault(t, err, fault.BadDocument, "committed, and none")
}

// The result is the same however long the log is, and so is what is kept of it.
func TestMemoryOfAProof(t *testing.T) {
	lines, document := committed()
	p := checkpoint.Prove("c1", document)
	for _, l := range lines {
		p.Add([]byte(l))
	}
	tail := []byte(line(6, "iteration_started"))
	require.Zero(t, testing.AllocsPerRun(1000, func() { p.Add(tail) }))
	_, err := p.Result()
	require.NoError(t, err)
}
