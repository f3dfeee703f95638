// Package sample makes an event of every type from the catalog, so that tests
// cover a type the moment it is written down.
//
// Calls you need: [Event] and [Record]. The texts are the same every time.
package sample

import (
	"slices"
	"strconv"
	"strings"

	"github.com/tidemark-stream/tidemark/pkg/events"
	"github.com/tidemark-stream/tidemark/pkg/events/catalog"
)

// Amount says which members a sample has.
type Amount int

// Amounts.
const (
	Minimal Amount = iota // what has to be there
	Full                  // all that the catalog lists
)

// Member is one member of a sample: its name, and its value as JSON text.
type Member struct{ Name, Value string }

// Event is a live event of a type, as members in the order they are written.
func Event(e catalog.Event, amount Amount) []Member {
	members := []Member{{"type", strconv.Quote(e.Name)}, {"sessionId", `"ses_1"`}}
	if e.Turn == events.TurnRequired || amount == Full {
		members = append(members, Member{"turnId", `"turn_1"`})
	}
	members = append(members, fields(e.Fields, amount)...)
	return append(members, fields(catalog.Session.Fields, amount)...)
}

// Run is the same event in the run era.
func Run(e catalog.Event, amount Amount) []Member {
	members := []Member{{"type", strconv.Quote(OldName(e.Name))}}
	members = append(members, fields(catalog.Run.Fields, amount)...)
	if amount == Full {
		members = append(members, Member{"timestamp", "1767225600000"})
	}
	return append(members, fields(e.Fields, amount)...)
}

// OldName is what a type was called in the run era.
func OldName(name string) string {
	for _, r := range catalog.RunNames {
		if r.Now == name {
			return r.Old
		}
	}
	return name
}

// Record is a record of a type that only a log has.
func Record(r catalog.RecordType, amount Amount) []Member {
	members := []Member{{"v", "1"}, {"type", strconv.Quote(r.Name)}, {"seq", "7"}}
	if amount == Full {
		members = append(members, Member{"gen", "3"})
	}
	members = append(members, Member{"ts", `"2026-01-01T00:00:00.000Z"`}, Member{"sessionId", `"ses_1"`})
	if r.Turn == events.TurnRequired || amount == Full {
		members = append(members, Member{"turnId", `"turn_1"`})
	}
	return append(members, fields(r.Fields, amount)...)
}

// Text is members as an object without white space.
func Text(members []Member) []byte {
	var parts []string
	for _, m := range members {
		parts = append(parts, strconv.Quote(m.Name)+":"+m.Value)
	}
	return []byte("{" + strings.Join(parts, ",") + "}")
}

// With is members with another value for one of them.
func With(members []Member, name, value string) []Member {
	changed := slices.Clone(members)
	for i := range changed {
		if changed[i].Name == name {
			changed[i].Value = value
		}
	}
	return changed
}

// Without is members but for one.
func Without(members []Member, name string) []Member {
	return slices.DeleteFunc(slices.Clone(members), func(m Member) bool { return m.Name == name })
}

// Fields are values for a list of members.
func fields(list []catalog.Field, amount Amount) []Member {
	var members []Member
	for _, f := range list {
		if f.Required || amount == Full {
			members = append(members, Member{f.Name, Value(Expr(f), amount)})
		}
	}
	return members
}

// Expr is the type expression of a member; the catalog's test has parsed it.
func Expr(f catalog.Field) catalog.Expr {
	expr, err := catalog.Parse(f.Type)
	if err != nil {
		panic("the catalog has a type that does not parse: " + f.Type)
	}
	return expr
}

var plain = map[catalog.Kind]string{
	catalog.Text: `"text \u00e9 <&> 😀"`, catalog.Int: "3", catalog.Number: "0.25", catalog.Bool: "true",
	catalog.Any: `{"a":[1,null,"x"]}`, catalog.Object: `{"a":1e3,"b":{}}`, catalog.Raw: `{"opaque":[12345678901234567890]}`,
	catalog.Seq: "7", catalog.Generation: "3",
}

// Value is a value of a type.
func Value(e catalog.Expr, amount Amount) string {
	switch e.Kind {
	case catalog.ID:
		return strconv.Quote(strings.ToLower(e.Name) + "_1")
	case catalog.EnumValue:
		return strconv.Quote(enum(e.Name).Values[0])
	case catalog.ShapeValue:
		return string(Text(fields(shape(e.Name).Fields, amount)))
	case catalog.List:
		return "[" + Value(*e.Elem, amount) + "," + Value(*e.Elem, amount) + "]"
	}
	return plain[e.Kind]
}

func enum(name string) catalog.Enum {
	return catalog.Enums[slices.IndexFunc(catalog.Enums, func(e catalog.Enum) bool { return e.Name == name })]
}

func shape(name string) catalog.Shape {
	return catalog.Shapes[slices.IndexFunc(catalog.Shapes, func(s catalog.Shape) bool { return s.Name == name })]
}
