package abi

import "github.com/tidemark-stream/tidemark/pkg/fault"

// explain answers the catalog's explanation of a thrown value, or null.
func explain(arg []byte) ([]byte, error) {
	v, err := fault.ReadThrown(arg)
	if err != nil {
		return nil, err
	}
	x, ok := fault.Explain(v)
	if !ok {
		return null, nil
	}
	return x.AppendJSON(nil), nil
}

// normalize answers the normal form of a thrown value.
func normalize(arg []byte) ([]byte, error) {
	v, err := fault.ReadThrown(arg)
	if err != nil {
		return nil, err
	}
	return fault.Normalize(v).AppendJSON(nil), nil
}

// facts answers what the rules see of a thrown value.
func facts(arg []byte) ([]byte, error) {
	v, err := fault.ReadThrown(arg)
	if err != nil {
		return nil, err
	}
	f := fault.FactsOf(v)
	return f.AppendJSON(nil), nil
}
