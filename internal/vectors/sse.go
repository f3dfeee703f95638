package vectors

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"strings"

	"github.com/tidemark-stream/tidemark/wasm/abi"
)

// Cases of the event stream decoder.

var (
	messageKeys = keys("event", "id", "data", "data_length", "data_sha256", "last_event_id", "retry")
	sseKeys     = caseKeys.with(keys("check_before_eof"), shape{
		"input": keys("encoding", "chunks", "then_new_connection_chunks", "check_before_eof").
			with(shape{"chunk_expand": keys("text", "times")}),
		"expected": keys("expected_last_event_id", "expected_retry", "expected_incomplete_tail", "expected_comment_count",
			"check_before_eof").with(shape{"expected_messages": messageKeys, "then_expected_messages": messageKeys}),
	})
)

func sseWanted(v vector) ([]any, error) {
	expected := v.object("expected")
	delete(expected, "check_before_eof")
	return expectations(expected.raw())
}

// runSSE decodes the chunks as given, as a whole and cut anew; all have to give
// the same.
func runSSE(v vector) (any, error) {
	in := v.object("input")
	chunks, err := in.chunks("chunks")
	if err != nil {
		return nil, err
	}
	got, err := everyCutting(chunks, !v.beforeEOF())
	if err != nil || in["then_new_connection_chunks"] == nil {
		return got, err
	}
	if chunks, err = in.chunks("then_new_connection_chunks"); err != nil {
		return nil, err
	}
	then, err := everyCutting(chunks, true)
	if err == nil {
		got["then_expected_messages"] = then["expected_messages"]
	}
	return got, err
}

// beforeEOF reports whether the stream has not ended when it is looked at.
func (m members) beforeEOF() bool {
	for _, path := range []string{"check_before_eof", "input.check_before_eof", "expected.check_before_eof"} {
		if string(m.at(path)) == "true" {
			return true
		}
	}
	return false
}

func everyCutting(chunks [][]byte, end bool) (map[string]any, error) {
	first, err := decodeStream(chunks, end)
	if err != nil {
		return nil, err
	}
	for _, anew := range cuttings(chunks) {
		got, err := decodeStream(anew, end)
		if err != nil {
			return nil, err
		}
		if !reflect.DeepEqual(first, got) {
			return nil, fmt.Errorf("%s when cut into %d chunks, and %s as given", text(got), len(anew), text(first))
		}
	}
	return first, nil
}

// cuttings are the same bytes in one piece, byte by byte (large ones: in small
// pieces), and in pieces of three.
func cuttings(chunks [][]byte) [][][]byte {
	const large = 1 << 16
	whole := bytes.Join(chunks, nil)
	if len(whole) > large {
		return [][][]byte{{whole}, cut(whole, 4099)}
	}
	return [][][]byte{{whole}, cut(whole, 1), cut(whole, 3)}
}

func cut(whole []byte, size int) (pieces [][]byte) {
	for len(whole) > size {
		pieces, whole = append(pieces, whole[:size]), whole[size:]
	}
	return append(pieces, whole)
}

// chunks reads a list of chunks: text, or base64 when the encoding says so.
func (m members) chunks(name string) ([][]byte, error) {
	if expand := m.list("chunk_expand"); len(expand) > 0 && name == "chunks" {
		return expanded(expand)
	}
	return decodeChunks(m.list(name), m["encoding"])
}

func decodeChunks(list []json.RawMessage, encoding json.RawMessage) ([][]byte, error) {
	var chunks [][]byte
	for _, raw := range list {
		text, ok := textOf(raw)
		if !ok {
			return nil, errors.New("a chunk is no text")
		}
		chunk := []byte(text)
		if e, _ := textOf(encoding); e == "base64" {
			var err error
			if chunk, err = base64.StdEncoding.DecodeString(text); err != nil {
				return nil, err
			}
		}
		chunks = append(chunks, chunk)
	}
	if len(chunks) == 0 {
		return nil, errors.New("there are no chunks")
	}
	return chunks, nil
}

func expanded(list []json.RawMessage) (chunks [][]byte, err error) {
	for _, raw := range list {
		var part struct {
			Text  string
			Times int
		}
		if err := json.Unmarshal(raw, &part); err != nil || part.Times < 1 {
			return nil, errors.New("chunk_expand takes a text and how often it comes")
		}
		chunks = append(chunks, []byte(strings.Repeat(part.Text, part.Times)))
	}
	return chunks, nil
}

// decodeStream runs one connection through the decoder calls of the seam.
func decodeStream(chunks [][]byte, end bool) (map[string]any, error) {
	var s seam
	h, err := s.open(abi.OpDecoderOpen, []byte("{}"))
	if err != nil {
		return nil, err
	}
	read := []any{}
	for _, chunk := range chunks {
		fed, err := s.ask(abi.OpDecoderFeed, h, chunk)
		if err != nil {
			return nil, err
		}
		messages, _ := fed.([]any)
		for _, m := range messages {
			read = append(read, message(m))
		}
	}
	outcome := map[string]any{"expected_messages": read}
	if end {
		if err := ended(&s, h, outcome); err != nil {
			return nil, err
		}
	}
	_, err = s.ask(abi.OpDecoderClose, h, nil)
	return outcome, err
}

func ended(s *seam, h int32, outcome map[string]any) error {
	end, err := s.ask(abi.OpDecoderEnd, h, nil)
	outcome["expected_last_event_id"] = field(end, "lastEventId")
	outcome["expected_retry"] = field(end, "retry")
	outcome["expected_incomplete_tail"] = field(end, "incompleteTail")
	outcome["expected_comment_count"] = field(end, "comments")
	return err
}

// message renames the members of a message as cases do.
func message(m any) any {
	data, _ := field(m, "data").(string)
	sum := sha256.Sum256([]byte(data))
	return map[string]any{
		"event": field(m, "event"), "id": field(m, "id"), "retry": field(m, "retry"), "last_event_id": field(m, "lastEventId"),
		"data": data, "data_length": number(int64(len(data))), "data_sha256": hex.EncodeToString(sum[:]),
	}
}
