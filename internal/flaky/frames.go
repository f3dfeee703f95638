package flaky

import (
	"bytes"
	"slices"

	"github.com/tidemark-stream/tidemark/internal/rawjson"
	"github.com/tidemark-stream/tidemark/pkg/cursor"
	"github.com/tidemark-stream/tidemark/pkg/events"
	"github.com/tidemark-stream/tidemark/pkg/profile"
	"github.com/tidemark-stream/tidemark/pkg/replay"
	"github.com/tidemark-stream/tidemark/pkg/sse"
)

// frame is one frame of an answer.
type frame struct {
	name    string // of the event; "" for one of the log
	session string
	seq     events.Seq
	id      string
	text    []byte
}

// compose puts together what the views of a connection are sent.
func compose(views []view) (frames []frame) {
	refused := map[string]bool{}
	for i := range views {
		head, refusal := headOf(&views[i])
		frames = append(frames, head)
		if refusal != nil {
			frames = append(frames, *refusal)
			refused[views[i].session] = true
		}
	}
	views = slices.DeleteFunc(views, func(v view) bool { return refused[v.session] })
	for _, live := range []bool{false, true} {
		frames = append(frames, eventsOf(views, live)...)
		for i := range views {
			if v := &views[i]; v.whole == live {
				frames = append(frames, control("live", v.session, func(w *rawjson.Writer) { w.Int("lastSeq", int64(v.head.LastSeq)) }))
			}
		}
		if !live && len(views) > 0 {
			frames = append(frames, frame{name: beat})
		}
	}
	for i := range views {
		frames = append(frames, control("end", views[i].session, func(w *rawjson.Writer) { w.Text("reason", "recorded") }))
	}
	return frames
}

// eventsOf are those that the views are owed of the replay, or of what was live
// when it was recorded.
func eventsOf(views []view, live bool) (frames []frame) {
	for i := range recording {
		e := &recording[i]
		at := slices.IndexFunc(views, func(v view) bool { return v.session == e.Session })
		if e.live == live && at >= 0 && views[at].owes(e) {
			frames = append(frames, frame{session: e.Session, seq: e.Seq, id: e.ID, text: e.Text})
		}
	}
	return frames
}

// headOf judges the cursor against the head, as a server has to.
func headOf(v *view) (head frame, refusal *frame) {
	verdict := replay.Judge(&profile.Session, &v.cursor, &v.head)
	head = control("head", v.session, func(w *rawjson.Writer) {
		w.Int("lastSeq", int64(v.head.LastSeq))
		writeGeneration(w, v.head.Generation)
		w.Int("oldestSeq", int64(v.head.OldestSeq))
		w.Text("verdict", verdict.Outcome.String())
		if verdict.Outcome != replay.Unavailable {
			w.Int("from", int64(v.cursor.Seq)+1)
		}
	})
	if verdict.Outcome != replay.Unavailable {
		return head, nil
	}
	no := control("refused", v.session, func(w *rawjson.Writer) {
		w.Text("reason", verdict.Refusal.Reason.String())
		w.Known("detail", verdict.Refusal.Detail.String())
	})
	return head, &no
}

func writeGeneration(w *rawjson.Writer, g events.Generation) {
	if _, ordered := g.Order(g); ordered {
		w.Raw("generation", []byte(g))
	} else {
		w.Known("generation", string(g))
	}
}

func control(name, session string, says func(w *rawjson.Writer)) frame {
	w := rawjson.Begin(nil)
	w.Text("sessionId", session)
	says(&w)
	return frame{name: "tidemark." + name, session: session, text: w.End()}
}

// beat is the name of a frame that is a comment.
const beat = ":"

// encode writes frames as the stream they are.
func encode(frames []frame, eol string) []byte {
	var stream []byte
	for _, f := range frames {
		if f.name == beat {
			stream = sse.AppendComment(stream, nil)
			continue
		}
		out := sse.Out{Data: f.text}
		if f.name != "" {
			out.Event = []byte(f.name)
		}
		if f.id != "" {
			out.ID = []byte(f.id)
		}
		var err error
		if stream, err = sse.AppendEvent(stream, out); err != nil {
			panic(err) // ids and texts of the recording
		}
	}
	if eol != "" {
		stream = bytes.ReplaceAll(stream, []byte("\n"), []byte(eol))
	}
	return stream
}

// find is where the record of a fault stands, -1 where it is not sent.
func find(frames []frame, f Fault) int {
	c, err := cursor.Parse(f.Record, 1)
	if err != nil {
		return -1
	}
	return slices.IndexFunc(frames, func(one frame) bool { return one.seq == c.Seq && one.seq > 0 && one.session == c.Session })
}

// changed is a fault of one record.
func changed(change func(frames []frame, at int) []frame) func([]frame, Fault) []frame {
	return func(frames []frame, f Fault) []frame {
		if at := find(frames, f); at >= 0 {
			return change(frames, at)
		}
		return frames
	}
}

var (
	drop   = changed(func(frames []frame, at int) []frame { return slices.Delete(frames, at, at+1) })
	double = changed(func(frames []frame, at int) []frame { return slices.Insert(frames, at, frames[at]) })
	garble = changed(func(frames []frame, at int) []frame {
		frames[at].text = frames[at].text[:len(frames[at].text)/2]
		return frames
	})
	fence = changed(func(frames []frame, at int) []frame {
		text := bytes.TrimSuffix(bytes.Replace(frames[at].text, []byte(`"generation":`), []byte(`"before":`), 1), []byte("}"))
		frames[at].text = append(bytes.Clone(text), `,"generation":8}`...)
		frames[at].id = ""
		return frames
	})
	mislabel = changed(func(frames []frame, at int) []frame {
		frames[at].id = cursor.Cursor{Session: frames[at].session, Seq: frames[at].seq + 1}.Token(1)
		return frames
	})
	swap = changed(func(frames []frame, at int) []frame {
		for next := at + 1; next < len(frames); next++ {
			if frames[next].seq > 0 && frames[next].session == frames[at].session {
				frames[at], frames[next] = frames[next], frames[at]
				break
			}
		}
		return frames
	})
)

func unfinished(frames []frame, _ Fault) []frame {
	return slices.DeleteFunc(frames, func(f frame) bool { return f.name == "tidemark.end" })
}

// short and rewrite are about a record and all behind it, whether it is sent or not.
func short(frames []frame, f Fault) []frame {
	return slices.DeleteFunc(frames, func(one frame) bool { return one.since(f) })
}

func rewrite(frames []frame, f Fault) []frame {
	for i := range frames {
		if frames[i].since(f) {
			frames[i].text = bytes.Replace(frames[i].text, []byte(`"turnId":`), []byte(`"turnId":"another","was":`), 1)
		}
	}
	return frames
}

// since reports a record of the session of a fault's record, from there on.
func (one *frame) since(f Fault) bool {
	c, err := cursor.Parse(f.Record, 1)
	return err == nil && one.seq > 0 && one.session == c.Session && one.seq >= c.Seq
}
