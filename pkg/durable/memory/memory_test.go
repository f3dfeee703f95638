package memory_test

import (
	"testing"

	"github.com/tidemark-stream/tidemark/pkg/durable"
	"github.com/tidemark-stream/tidemark/pkg/durable/memory"
	"github.com/tidemark-stream/tidemark/pkg/durable/storetest"
)

func TestStore(t *testing.T) {
	storetest.Run(t, storetest.Subject{New: func(*testing.T) durable.Store { return memory.New() }, Many: true})
}
