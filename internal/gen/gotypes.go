package gen

import (
	"fmt"
	"strings"

	"github.com/tidemark-stream/tidemark/pkg/events/catalog"
)

// goTypeFiles is the structs of pkg/events/typed.
func goTypeFiles(string) ([]File, error) {
	g := &goTypes{}
	g.printf("%spackage typed\n\nimport \"github.com/tidemark-stream/tidemark/pkg/events\"\n\n", goHeader)
	g.tables()
	for _, group := range catalog.Groups {
		for _, e := range group.Events {
			g.event(e.Name, "is "+e.Name+", "+eventTraits(e)+". "+e.Meaning, e.Fields, "Decode")
		}
	}
	for _, r := range catalog.Records {
		g.event(r.Name, "is "+r.Name+", a type that only a log has. "+r.Meaning, r.Fields, "DecodeRecord")
	}
	for _, s := range catalog.Shapes {
		g.shape(s)
	}
	g.values()
	if g.err != nil {
		return nil, g.err
	}
	return goFile("pkg/events/typed/types_gen.go", g.text.String())
}

// goTypes writes Go source. The first error stays.
type goTypes struct {
	text strings.Builder
	err  error
}

func (g *goTypes) printf(format string, args ...any) { fmt.Fprintf(&g.text, format, args...) }

// tables are the ways from a name to a struct.
func (g *goTypes) tables() {
	var live, record []string
	for _, e := range catalog.Events() {
		live = append(live, e.Name)
	}
	for _, r := range catalog.Records {
		record = append(record, r.Name)
	}
	g.constructors("newLive", "a live event", live)
	g.constructors("newRecord", "a record that is never live", record)
	g.printf("// recordTurn is the turn rule of the types that only a log has.\nvar recordTurn = map[string]events.TurnRule{\n")
	for _, r := range catalog.Records {
		g.printf("%q: events.%s,\n", r.Name, turnIdent[r.Turn])
	}
	g.printf("}\n\n// runEraName is what a type of the run era is called today.\nfunc runEraName(name string) string {\nswitch name {\n")
	for _, r := range catalog.RunNames {
		g.printf("case %q:\nreturn %q\n", r.Old, r.Now)
	}
	g.printf("}\nreturn name\n}\n\n")
}

func (g *goTypes) constructors(name, what string, types []string) {
	g.printf("// %s makes %s by its type, nil for any other type.\nfunc %s(name string) Event {\nswitch name {\n", name, what, name)
	for _, t := range types {
		g.printf("case %q:\nreturn &%s{}\n", t, typeIdent(t))
	}
	g.printf("}\nreturn nil\n}\n\n")
}

// event is a struct with the methods that make it an Event.
func (g *goTypes) event(name, about string, fields []catalog.Field, decode string) {
	ident := typeIdent(name)
	g.text.WriteString(wrapped("// ", ident+" "+about))
	g.printf("type %s struct {\nBase\n", ident)
	g.fields(fields)
	g.printf("}\n\n// Type is %q.\nfunc (e *%s) Type() string { return %q }\n\n", name, ident, name)
	if len(fields) == 0 {
		g.printf("func (e *%s) own() []slot { return nil }\n\n", ident)
	} else {
		g.printf("func (e *%s) own() []slot {\nreturn []slot{\n", ident)
		g.slots("e", fields)
		g.printf("}\n}\n\n")
	}
	g.printf("// MarshalJSON is [Encode].\nfunc (e *%s) MarshalJSON() ([]byte, error) { return Encode(e) }\n\n", ident)
	g.printf("// UnmarshalJSON is [%s] for this type alone.\nfunc (e *%s) UnmarshalJSON(text []byte) error { return into(e, text, %s) }\n\n",
		decode, ident, decode)
}

func (g *goTypes) shape(s catalog.Shape) {
	g.text.WriteString(wrapped("// ", s.Name+" is an object inside an event. "+s.Meaning))
	g.printf("type %s struct {\nShape\n", s.Name)
	g.fields(s.Fields)
	g.printf("}\n\nfunc (s *%s) slots() []slot {\nreturn []slot{\n", s.Name)
	g.slots("s", s.Fields)
	g.printf("}\n}\n\n")
}

func (g *goTypes) fields(fields []catalog.Field) {
	for _, f := range fields {
		expr := g.parse(f)
		typ := g.typeOf(expr)
		if !f.Required {
			typ = "Opt[" + typ + "]"
		}
		g.printf("%s %s", fieldIdent(f.Name), typ)
		if words := fieldComment(expr, f.Meaning); words != "" {
			g.printf(" // %s", words)
		}
		g.printf("\n")
	}
}

// fieldComment names what an opaque value is, since its Go type does not.
func fieldComment(e catalog.Expr, meaning string) string {
	for e.Elem != nil {
		e = *e.Elem
	}
	switch {
	case e.Kind != catalog.Raw:
		return meaning
	case meaning == "":
		return e.Name
	}
	return e.Name + ": " + meaning
}

func (g *goTypes) slots(receiver string, fields []catalog.Field) {
	for _, f := range fields {
		tie := "may"
		if f.Required {
			tie = "need"
		}
		g.printf("%s(%q, &%s.%s, %s),\n", tie, f.Name, receiver, fieldIdent(f.Name), g.codecOf(g.parse(f)))
	}
}

func (g *goTypes) parse(f catalog.Field) catalog.Expr {
	expr, err := catalog.Parse(f.Type)
	if err != nil && g.err == nil {
		g.err = fmt.Errorf("member %s: %q: %w", f.Name, f.Type, err)
	}
	return expr
}

var goTypeOf = map[catalog.Kind]string{
	catalog.Text: "string", catalog.Int: "Int", catalog.Number: "Number", catalog.Bool: "bool",
	catalog.Any: "Raw", catalog.Object: "Raw", catalog.Raw: "Raw",
}

func (g *goTypes) typeOf(e catalog.Expr) string {
	switch e.Kind {
	case catalog.ID:
		return e.Name + "ID"
	case catalog.EnumValue, catalog.ShapeValue:
		return e.Name
	case catalog.List:
		return "[]" + g.typeOf(*e.Elem)
	}
	return goTypeOf[e.Kind]
}

var goCodecOf = map[catalog.Kind]string{
	catalog.Int: "integer()", catalog.Number: "number()", catalog.Bool: "boolean()",
	catalog.Any: "anything()", catalog.Object: "object()", catalog.Raw: "opaque()",
}

func (g *goTypes) codecOf(e catalog.Expr) string {
	switch e.Kind {
	case catalog.Text, catalog.ID, catalog.EnumValue:
		return "text[" + g.typeOf(e) + "]()"
	case catalog.ShapeValue:
		return "shape[" + e.Name + "]()"
	case catalog.List:
		return "list(" + g.codecOf(*e.Elem) + ")"
	}
	return goCodecOf[e.Kind]
}

// values are the ids and the enums.
func (g *goTypes) values() {
	g.printf("// Ids. They are compared and never taken apart.\ntype (\n")
	for _, k := range catalog.IDKinds {
		g.printf("%sID string // %s\n", k.Name, k.Meaning)
	}
	g.printf(")\n\n")
	for _, e := range catalog.Enums {
		g.enum(e)
	}
}

func (g *goTypes) enum(e catalog.Enum) {
	g.printf("// %s is text from a list, to which newer producers may add. %s\ntype %s string\n\n", e.Name, e.Meaning, e.Name)
	g.printf("// The values of %s.\nconst (\n", e.Name)
	for _, v := range e.Values {
		g.printf("%s%s %s = %q\n", e.Name, valueIdent(v), e.Name, v)
	}
	g.printf(")\n\n// Known reports whether the value is on the list.\nfunc (v %s) Known() bool {\nswitch v {\ncase ", e.Name)
	for i, v := range e.Values {
		if i > 0 {
			g.printf(", ")
		}
		g.printf("%s%s", e.Name, valueIdent(v))
	}
	g.printf(":\nreturn true\n}\nreturn false\n}\n\n")
}
