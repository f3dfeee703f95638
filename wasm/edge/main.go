//go:build js && wasm

// Command edge is a worker that relays one server: pkg/edge as the environment says,
// through package worker. What was refused or is wrong goes to the log, a line of JSON
// each, without payload.
package main

import (
	"net/http"
	"os"

	"github.com/syumai/workers/cloudflare"

	"github.com/tidemark-stream/tidemark/pkg/edge"
	"github.com/tidemark-stream/tidemark/pkg/fault"
	"github.com/tidemark-stream/tidemark/pkg/link"
	"github.com/tidemark-stream/tidemark/wasm/edge/worker"
)

func main() {
	handler, err := configured()
	if err != nil {
		logLine([]byte(err.Error()))
		handler = worker.Misconfigured()
	}
	worker.Serve(handler)
}

func configured() (http.Handler, error) {
	o, err := worker.Options(cloudflare.Getenv)
	if err != nil {
		return nil, err
	}
	o.Transport = worker.Transport{}
	o.OnFault = func(_ *http.Request, f *fault.Fault) { logLine(f.AppendJSON(nil)) }
	o.OnVerdict = func(_ *http.Request, report *link.Report) {
		if report.Refusal != nil {
			logLine(report.AppendJSON(nil, o.Profile.Base))
		}
	}
	return edge.New(o)
}

func logLine(line []byte) { _, _ = os.Stderr.Write(append(line, '\n')) }
