package checkpoint_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tidemark-stream/tidemark/pkg/checkpoint"
	"github.com/tidemark-stream/tidemark/pkg/fault"
)

const sum = "00112233445566778899aabbccddeeff00112233445566778899aabbccddeeff"

// full is a document with every member there is, in the order of the contract.
const full = `{"v":1,"kind":"checkpoint","checkpointId":"c1","sessionId":"s:1","turnId":"t1","iteration":4,` +
	`"throughSeq":9,"throughSha256":"` + sum + `","tokenUsage":{"input":1.50},"costInfo":{"usd":1e-3},` +
	`"budget":{"binding":{"turn":true},"accountId":"a1"},"guards":{"iteration":4,"elapsedMs":1200},` +
	`"review":{"structuredAttempts":1,"answerAttempts":2,"nativeStructuredAttempts":3},"latestUserMessageId":"m7",` +
	`"workingState":[1, 2],"trace":"00-ab-cd-01","turnCreatedAt":"2026-01-01T00:00:00.000Z","createdAt":"2026-01-01T00:00:01.500Z"}`

// least is a document without any member that may be absent.
const least = `{"v":1,"kind":"checkpoint","checkpointId":"c1","sessionId":"s:1","turnId":"t1","iteration":0,` +
	`"throughSeq":1,"throughSha256":"` + sum + `","tokenUsage":{},"costInfo":{},` +
	`"guards":{"iteration":0,"elapsedMs":0},"review":{"structuredAttempts":0,"answerAttempts":0,"nativeStructuredAttempts":0},` +
	`"turnCreatedAt":"2026-01-01T00:00:00.000Z","createdAt":"2026-01-01T00:00:00.000Z"}`

// v 1, kind checkpoint, no messages, and what is not known is kept.
func TestADocumentKeepsWhatItHolds(t *testing.T) {
	for _, text := range []string{
		full, least,
		strings.Replace(full, `}}`, `}}`, 1)[:len(full)-1] + `,"later":{"x":[1.0]},"é":null}`,
		strings.Replace(full, `"elapsedMs":1200`, `"elapsedMs":1200,"tools":7`, 1),
		strings.Replace(full, `"accountId":"a1"`, `"accountId":"a1","of":"x"`, 1),
		strings.Replace(full, `"nativeStructuredAttempts":3`, `"nativeStructuredAttempts":3,"human":1`, 1),
	} {
		d, err := checkpoint.Parse([]byte(text))
		require.NoError(t, err)
		require.Equal(t, text, string(d.AppendJSON(nil)))
	}
}

func TestWhatADocumentSays(t *testing.T) {
	through, _ := checkpoint.ParseSum(sum)
	d, err := checkpoint.Parse([]byte(" " + full + "\n"))
	require.NoError(t, err)
	require.Equal(t, checkpoint.Document{
		CheckpointID: "c1", SessionID: "s:1", ThroughSeq: 9, ThroughSHA256: through, CreatedAt: 1767225601500,
		State: checkpoint.State{
			TurnID: "t1", Iteration: 4, TokenUsage: []byte(`{"input":1.50}`), CostInfo: []byte(`{"usd":1e-3}`),
			Budget:              &checkpoint.Budget{Binding: []byte(`{"turn":true}`), AccountID: "a1"},
			Guards:              checkpoint.Guards{Iteration: 4, ElapsedMS: 1200},
			Review:              checkpoint.Review{StructuredAttempts: 1, AnswerAttempts: 2, NativeStructuredAttempts: 3},
			LatestUserMessageID: "m7", WorkingState: []byte(`[1, 2]`), Trace: []byte(`"00-ab-cd-01"`),
			TurnCreatedAt: 1767225600000,
		},
	}, d)
	for _, name := range []string{"budget", "latestUserMessageId", "workingState", "trace"} {
		d, err := checkpoint.Parse([]byte(least[:len(least)-1] + `,"` + name + `":null}`))
		require.NoError(t, err, "null is absent")
		require.Equal(t, least, string(d.AppendJSON(nil)))
	}
}

// What is no document: a coded fault, with the member and what it should be.
func TestBadDocuments(t *testing.T) {
	for name, c := range map[string]struct{ from, to, expected string }{
		"a newer version":     {`"v":1`, `"v":2`, "v as 1"},
		"another kind":        {`"kind":"checkpoint"`, `"kind":"park"`, `kind as "checkpoint"`},
		"no id":               {`"checkpointId":"c1",`, ``, "checkpointId as text that is not empty"},
		"an empty id":         {`"turnId":"t1"`, `"turnId":""`, "turnId as text that is not empty"},
		"an id that is none":  {`"sessionId":"s:1"`, `"sessionId":7`, "sessionId as text that is not empty"},
		"a fraction":          {`"iteration":4,"through`, `"iteration":4.5,"through`, "iteration as an integer of at least 0"},
		"seq 0":               {`"throughSeq":9`, `"throughSeq":0`, "throughSeq as a seq of at least 1"},
		"a short digest":      {sum, sum[2:], "throughSha256 as 64 hexadecimal digits in lower case"},
		"large digits":        {sum, strings.ToUpper(sum), "throughSha256 as 64 hexadecimal digits in lower case"},
		"usage that is none":  {`{"input":1.50}`, `7`, "tokenUsage as an object"},
		"cost null":           {`{"usd":1e-3}`, `null`, "costInfo as an object"},
		"no account":          {`,"accountId":"a1"`, ``, "budget.accountId as text that is not empty"},
		"negative time":       {`"elapsedMs":1200`, `"elapsedMs":-1`, "guards.elapsedMs as an integer of at least 0"},
		"no review":           {`"answerAttempts":2,`, ``, "review.answerAttempts as an integer of at least 0"},
		"guards as a list":    {`{"iteration":4,"elapsedMs":1200}`, `[]`, "guards as an object"},
		"no date":             {`"2026-01-01T00:00:01.500Z"`, `"2026-02-30T00:00:00Z"`, "createdAt as date-time text"},
		"date as a number":    {`"2026-01-01T00:00:00.000Z"`, `1767225600000`, "turnCreatedAt as date-time text"},
		"twice":               {`"iteration":4,"through`, `"iteration":4,"iteration":4,"through`, "iteration once"},
		"twice, unknown":      {`{"v":1`, `{"x":1,"x":1,"v":1`, "x once"},
		"twice, inside":       {`"elapsedMs":1200`, `"elapsedMs":1200,"elapsedMs":1200`, "guards.elapsedMs once"},
		"empty message":       {`"m7"`, `""`, "latestUserMessageId as text that is not empty"},
		"cut":                 {`"}`, ``, "a checkpoint document as one JSON object"},
		"two documents":       {`"createdAt":"2026-01-01T00:00:01.500Z"}`, `"createdAt":"2026-01-01T00:00:01.500Z"}{}`, "a checkpoint document as one JSON object"},
		"another JSON value":  {full, `[1]`, "a checkpoint document as one JSON object"},
		"nothing":             {full, ``, "a checkpoint document as one JSON object"},
		"nested without end":  {`[1, 2]`, strings.Repeat("[", 600) + strings.Repeat("]", 600), "a checkpoint document as one JSON object"},
		"bytes that are none": {`"m7"`, "\"\xff\"", "a checkpoint document as one JSON object"},
	} {
		t.Run(name, func(t *testing.T) {
			text := strings.Replace(full, c.from, c.to, 1)
			require.NotEqual(t, full, text)
			_, err := checkpoint.Parse([]byte(text))
			requireFault(t, err, fault.BadDocument)
			var f *fault.Fault
			require.ErrorAs(t, err, &f)
			require.Equal(t, c.expected, f.Expected)
			_, err = checkpoint.ReceiptOf([]byte(text))
			requireFault(t, err, fault.BadDocument)
			require.Nil(t, checkpoint.TraceOf([]byte(text)), "reading a trace never fails")
		})
	}
}

func TestTraceOf(t *testing.T) {
	require.Equal(t, `"00-ab-cd-01"`, string(checkpoint.TraceOf([]byte(full))))
	require.Nil(t, checkpoint.TraceOf([]byte(least)))
	require.Nil(t, checkpoint.TraceOf(nil))
}

// what the record says is the receipt, and reads back as it.
func TestReceipt(t *testing.T) {
	receipt, err := checkpoint.ReceiptOf([]byte(full))
	require.NoError(t, err)
	through, _ := checkpoint.ParseSum(sum)
	require.Equal(t, checkpoint.Receipt{CheckpointID: "c1", SHA256: checkpoint.SumOf([]byte(full)), ThroughSeq: 9, ThroughSHA256: through}, receipt)
	text := string(receipt.AppendWritten(nil, "t1"))
	require.Equal(t, `{"type":"checkpoint_written","turnId":"t1","checkpointId":"c1","sha256":"`+receipt.SHA256.String()+
		`","throughSeq":9,"throughSha256":"`+sum+`"}`, text)
	w, err := checkpoint.ReadWritten([]byte(strings.Replace(text, `"turnId"`, `"seq":12,"gen":"x","ts":"2026-01-01T00:00:01Z","sessionId":"s:1","turnId"`, 1)))
	require.NoError(t, err)
	require.Equal(t, checkpoint.Written{Receipt: receipt, TurnID: "t1", SessionID: "s:1", Seq: 12, Generation: "x", At: 1767225601000}, w)
}

// What is read as a document is written and read as the same one.
func FuzzParse(f *testing.F) {
	for _, seed := range []string{full, least, `{}`, `{"v":1,"kind":"checkpoint"}`, full[:200], `{"v":1,"v":1}`, strings.Replace(full, "t1", `\u0074\ud83d\ude00`, 1)} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		d, err := checkpoint.Parse(text)
		if err != nil {
			requireFault(t, err, fault.BadDocument)
			return
		}
		again := d.AppendJSON(nil)
		e, err := checkpoint.Parse(again)
		require.NoError(t, err, "%s", again)
		require.Equal(t, d, e)
		require.Equal(t, again, e.AppendJSON(nil))
	})
}
