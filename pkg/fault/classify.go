package fault

// Kind is what sort of failure a thrown value is.
type Kind uint8

// Kinds, from the least that is known to the most.
const (
	KindValue    Kind = iota // no error at all
	KindError                // an error of no type that is known here
	KindCoded                // an Error, or a normal form
	KindProvider             // a ProviderError
	KindStream               // a Fault
)

// class is what was found out about a value. At most one pointer is set, and
// none for KindValue and KindError.
type class struct {
	kind     Kind
	coded    *Error
	normal   *PlatformError
	provider *ProviderError
	stream   *Fault

	hint, name        string
	isHinted, isNamed bool
}

// classify finds, each time outermost, the error whose type says what it is, the
// hint and the name in a chain.
func classify(v any) (c class) {
	switch v := v.(type) {
	case error:
		c.kind = KindError
		walk(v, &c)
	case Value:
		c.hint, c.name = v.hint, v.Name
	}
	return c
}

// take looks at one error of a chain.
func (c *class) take(err error) {
	switch e := err.(type) {
	case *hinted:
		if !c.isHinted {
			c.hint, c.isHinted = e.hint, true
		}
	case *named:
		if !c.isNamed {
			c.name, c.isNamed = e.name, true
		}
	default:
		if c.kind == KindError {
			c.recognise(err)
		}
	}
}

// recognise notes an error whose type is known; pointers that are nil are nobody's.
func (c *class) recognise(err error) {
	switch e := err.(type) {
	case *Error:
		c.isCoded(e)
	case Code:
		c.isCoded(Coded(e, bare(e.Meaning())))
	case PlatformError:
		c.kind, c.normal = KindCoded, &e
	case *ProviderError:
		if e != nil {
			c.kind, c.provider = KindProvider, e
		}
	case *Fault:
		c.isStream(e)
	case ID:
		c.isStream(New(e, "", ""))
	}
}

func (c *class) isCoded(e *Error) {
	if e != nil {
		c.kind, c.coded = KindCoded, e
	}
}

func (c *class) isStream(f *Fault) {
	if f != nil {
		c.kind, c.stream = KindStream, f
	}
}

// chainLimit ends a walk along a chain that unwraps to itself.
const chainLimit = 1000

// walk shows the errors of a chain to c, outermost first and depth first. A
// chain whose Unwrap panics ends there.
func walk(err error, c *class) {
	defer func() { _ = recover() }()
	left := chainLimit
	walkOn(err, &left, c)
}

func walkOn(err error, left *int, c *class) {
	for err != nil && *left > 0 {
		*left--
		c.take(err)
		switch e := err.(type) {
		case interface{ Unwrap() error }:
			err = e.Unwrap()
		case interface{ Unwrap() []error }:
			for _, branch := range e.Unwrap() {
				walkOn(branch, left, c)
			}
			return
		default:
			return
		}
	}
}
