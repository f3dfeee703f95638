package main

import (
	"fmt"

	"github.com/tidemark-stream/tidemark/pkg/check"
)

// runExplain prints rules of the catalog.
func runExplain(args []string, c console) int {
	var style check.Style
	style.Colour, style.Width = terminal(c.out)
	text, problem := check.Explain(args, style)
	if problem != "" {
		fmt.Fprint(c.err, check.Problem("explain", problem))
		return exitUsage
	}
	c.out.Write(text)
	return exitOK
}
