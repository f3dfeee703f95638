package durable

import "github.com/tidemark-stream/tidemark/pkg/decision"

// checkDecision refuses what is no answer. One whose action is not known is
// recorded as it is.
func checkDecision(raw []byte) error {
	_, err := decision.Parse(raw)
	return err
}
