// Package seam is what the full module does, in ordinary Go that is tested
// natively: it reads whole logs, verifies checkpoints, folds contexts, reads
// decisions and lists runs.
//
// Bytes come in through the input room. Small answers go out as results of plain
// types ([Report], [Proven], [Decision], [Page] …), which the module turns into
// objects of JavaScript; lists that grow with a log go out as JSON text at Output.
// A fault is JSON at Output as well. Bad handles and arguments get an answer, and
// never a panic.
//
// A result holds numbers as int64, and none beyond 2^53; what is absent is a nil
// pointer.
package seam

import (
	"github.com/tidemark-stream/tidemark/pkg/fault"
	"github.com/tidemark-stream/tidemark/wasm/abi"
)

// Module is one instance. The zero Module is ready.
type Module struct {
	abi.Room
	logs map[int32]*reading
	runs map[int32]pager
	last int32 // handle that was given out last
}

func (m *Module) handle() int32 {
	m.last++
	return m.last
}

// Refuse makes an error the last answer.
func (m *Module) Refuse(err error) {
	f, ok := err.(*fault.Fault)
	if !ok {
		f = fault.New(fault.InternalFault, "a fault of the catalog", err.Error())
	}
	m.Answer(append(f.AppendJSON([]byte(`{"fault":`)), '}'))
}

// clock reads the time that parks are held against, in milliseconds since 1970.
func clock(now float64) (int64, error) {
	if ms, ok := abi.Millis(now); ok {
		return ms, nil
	}
	return 0, fault.New(fault.BadInput, "now: milliseconds since 1970", "no such number")
}

func badHandle(what string) error {
	return fault.New(fault.BadHandle, "an open "+what, "one that is closed or was never opened")
}
