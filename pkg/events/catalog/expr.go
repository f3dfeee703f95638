package catalog

import (
	"errors"
	"strings"
)

// Kind is what a member's value is.
type Kind string

// Kinds. Those up to Generation stand for themselves in an expression.
const (
	Text       Kind = "string"
	Int        Kind = "int"    // a JSON number that is an integer, of any size
	Number     Kind = "number" // any JSON number
	Bool       Kind = "bool"
	Any        Kind = "any"                // any JSON value, null included
	Object     Kind = "object<string,any>" // any JSON object
	Seq        Kind = "seq"                // digits, 1 to 2^53-1
	Generation Kind = "generation"         // an integer >= 0 in digits, or text that is not empty
	ID         Kind = "id"                 // id:<IDKind>
	EnumValue  Kind = "enum"               // enum:<Enum>
	ShapeValue Kind = "shape"              // shape:<Shape>
	Raw        Kind = "opaque"             // opaque:<Opaque>: any JSON value but null
	List       Kind = "list"               // list<expression>
)

// Expr is a type expression that was read.
type Expr struct {
	Kind Kind
	Name string // what follows the colon of id, enum, shape and opaque
	Elem *Expr  // what a list holds, nil for all others
}

var errExpr = errors.New("not a type expression")

var plainKinds = []Kind{Text, Int, Number, Bool, Any, Object, Seq, Generation}

var namedKinds = []Kind{ID, EnumValue, ShapeValue, Raw}

// Parse reads a type expression:
//
//	string int number bool any object<string,any> seq generation
//	id:Turn enum:ReviewDecision shape:ToolVia opaque:Message list<id:Task>
func Parse(expr string) (Expr, error) {
	for _, k := range plainKinds {
		if expr == string(k) {
			return Expr{Kind: k}, nil
		}
	}
	if inner, ok := strings.CutPrefix(expr, "list<"); ok {
		return parseList(inner)
	}
	kind, name, _ := strings.Cut(expr, ":")
	for _, k := range namedKinds {
		if kind == string(k) && name != "" {
			return Expr{Kind: k, Name: name}, nil
		}
	}
	return Expr{}, errExpr
}

func parseList(inner string) (Expr, error) {
	inner, ok := strings.CutSuffix(inner, ">")
	if !ok {
		return Expr{}, errExpr
	}
	elem, err := Parse(inner)
	if err != nil {
		return Expr{}, err
	}
	return Expr{Kind: List, Elem: &elem}, nil
}
