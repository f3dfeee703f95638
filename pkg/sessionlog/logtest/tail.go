package logtest

import (
	"context"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tidemark-stream/tidemark/pkg/events"
	"github.com/tidemark-stream/tidemark/pkg/sessionlog"
)

var tailing = map[string]func(*testing.T, Subject){
	"O-10 nothing falls between tail and page": tailMeetsPage,
	"O-10 a slow subscriber is cut":            slowSubscriber,
	"O-10 a closed tail":                       closedTail,
	"O-10 a canceled wait loses nothing":       canceledWait,
	"O-2 O-10 many writers, many readers":      manyAtOnce,
}

func tailMeetsPage(t *testing.T, s Subject) {
	_, log := opened(t, s)
	const total = 400
	done := make(chan struct{})
	go func() {
		defer close(done)
		for i := range total {
			_, _ = log.Append(context.WithoutCancel(t.Context()), "", numbered(i))
		}
	}()
	for range 20 {
		tail := subscribed(t, log)
		head := headOf(t, log)
		got := readAll(t, log, 0, 64)
		require.GreaterOrEqual(t, len(got), int(head.LastSeq), "a page taken after the head reaches it")
		last := events.Seq(len(got))
		for last < head.LastSeq+5 && last < total {
			for _, e := range collect(t, tail, 1) {
				if e.Seq > last {
					got, last = append(got, e), e.Seq
				}
			}
		}
		require.Equal(t, upTo(1, last), seqs(got))
		tail.Close()
	}
	<-done
}

func slowSubscriber(t *testing.T, s Subject) {
	store := s.New(t, Options{TailEvents: 8, Now: fixed})
	log := created(t, store, session)
	slow, quick := subscribed(t, log), subscribed(t, log)
	var read []sessionlog.Event
	for range 20 {
		fill(t, log, "", 1)
		read = append(read, collect(t, quick, 1)...)
	}
	require.Equal(t, upTo(1, 20), seqs(read), "one slow reader costs the others nothing")
	got, cut := untilCut(t, slow)
	require.Equal(t, sessionlog.CutSlow, cut.Reason)
	require.Equal(t, session, cut.Session)
	require.Equal(t, upTo(1, 8), seqs(got), "what was published before the cut is still there")
	require.Equal(t, upTo(9, 20), seqs(readAll(t, log, 8, 0)), "and the rest can be read")
}

func closedTail(t *testing.T, s Subject) {
	_, log := opened(t, s)
	tail := subscribed(t, log)
	waiting := make(chan error)
	go func() {
		_, err := next(t, tail)
		waiting <- err
	}()
	tail.Close()
	var cut *sessionlog.Cut
	require.ErrorAs(t, <-waiting, &cut)
	require.Equal(t, sessionlog.CutClosed, cut.Reason)
	tail.Close()
	fill(t, log, "", 1)
	_, err := next(t, tail)
	require.ErrorAs(t, err, &cut)
}

func canceledWait(t *testing.T, s Subject) {
	_, log := opened(t, s)
	tail := subscribed(t, log)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err := tail.Next(ctx)
	require.ErrorIs(t, err, context.Canceled)
	fill(t, log, "", 1)
	require.Equal(t, upTo(1, 1), seqs(collect(t, tail, 1)))
}

func manyAtOnce(t *testing.T, s Subject) {
	_, log := opened(t, s)
	const writers, each, readers = 4, 40, 3
	var tails []sessionlog.Tail
	for range readers {
		tails = append(tails, subscribed(t, log))
	}
	var group sync.WaitGroup
	for range writers {
		group.Go(func() {
			for i := range each {
				_, _ = log.Append(context.WithoutCancel(t.Context()), "", numbered(i))
				_ = log.Publish(context.WithoutCancel(t.Context()), "", []byte(`{"type":"text_delta"}`))
			}
		})
	}
	for range readers {
		group.Go(func() {
			for head := (sessionlog.Head{}); head.LastSeq < writers*each; {
				head, _ = log.Head(t.Context())
				_, _ = log.Read(t.Context(), head.LastSeq/2, 10)
			}
		})
	}
	group.Wait()
	all := readAll(t, log, 0, 33)
	require.Equal(t, upTo(1, writers*each), seqs(all))
	for _, tail := range tails {
		var recorded []sessionlog.Event
		for _, e := range collect(t, tail, 2*writers*each) {
			if e.Seq > 0 {
				recorded = append(recorded, e)
			}
		}
		require.Equal(t, all, recorded, "every reader sees the one order")
	}
}
