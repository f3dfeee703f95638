package fault_test

import (
	"errors"
	"go/ast"
	"go/parser"
	"go/token"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/tidemark-stream/tidemark/pkg/fault"
)

func TestEveryCode(t *testing.T) {
	codes := fault.Codes()
	require.Len(t, codes, 8)
	retryable := map[fault.Code]bool{fault.CodeStorageError: true}
	names := map[string]bool{}
	for _, c := range codes {
		assert.Regexp(t, `^[a-z]+(_[a-z]+)*$`, c.String())
		assert.NotEmpty(t, c.Meaning())
		assert.Equal(t, retryable[c], c.Retryable(), c.String())
		assert.False(t, names[c.String()], "%s stands twice", c)
		names[c.String()] = true
		back, ok := fault.ParseCode(c.String())
		assert.True(t, ok)
		assert.Equal(t, c, back)
		assert.Equal(t, c, fault.Coded(c, "m").Code)
		assert.True(t, errors.Is(fault.Coded(c, "m"), c))
	}
	for n := range 256 {
		c := fault.Code(n)
		assert.True(t, names[c.String()], "code %d reads as one of the eight", n)
		assert.True(t, names[fault.Coded(c, "m").Code.String()])
	}
	for _, only := range fault.FailureOnlyCodes() {
		_, ok := fault.ParseCode(only.Code)
		assert.False(t, ok, "%s is never constructed", only.Code)
		assert.NotEmpty(t, only.Meaning)
	}
	_, ok := fault.ParseCode("Storage_error")
	assert.False(t, ok)
}

// idsInUse are the constants of type ID as the source declares them, so that a
// constant without a row shows as well as a row without a constant.
func idsInUse(t *testing.T) []fault.ID {
	t.Helper()
	file, err := parser.ParseFile(token.NewFileSet(), "stream.go", nil, 0)
	require.NoError(t, err)
	var ids []fault.ID
	ast.Inspect(file, func(n ast.Node) bool {
		spec, ok := n.(*ast.ValueSpec)
		if kind, typed := typeName(spec, ok); !typed || kind != "ID" {
			return true
		}
		for _, value := range spec.Values {
			n, err := strconv.ParseUint(value.(*ast.BasicLit).Value, 10, 16)
			require.NoError(t, err, "an ID has an explicit number")
			ids = append(ids, fault.ID(n))
		}
		require.Len(t, spec.Values, len(spec.Names), "an ID has an explicit number")
		return true
	})
	require.True(t, slices.IsSorted(ids), "IDs stand in the order of their numbers")
	return ids
}

func typeName(spec *ast.ValueSpec, ok bool) (string, bool) {
	if !ok {
		return "", false
	}
	name, ok := spec.Type.(*ast.Ident)
	if !ok {
		return "", false
	}
	return name.Name, true
}

func TestEveryID(t *testing.T) {
	var found []fault.ID
	for n := 0; n <= 1<<16-1; n++ {
		id := fault.ID(n)
		rule := fault.RuleOf(id)
		require.Equal(t, id, rule.ID)
		require.Equal(t, id.String(), rule.Name)
		require.NotEmpty(t, rule.Message)
		require.NotEmpty(t, rule.Hint)
		if id != 0 {
			back, ok := fault.ParseID(id.String())
			require.True(t, ok, id.String())
			require.Equal(t, id, back)
		}
		if rule.Side != fault.NoSide {
			found = append(found, id)
			require.True(t, fault.MinID <= id && id <= fault.MaxID)
		}
	}
	assert.Equal(t, idsInUse(t), found)
	assert.Equal(t, "stream.999", fault.ID(999).String())
	assert.Empty(t, fault.ID(0).String())
}

func TestParseIDRefuses(t *testing.T) {
	for _, name := range []string{
		"", "stream", "stream.", "stream.0", "stream.0999", "stream.+999", "stream.65536", "stream.100",
		"stream.Gap", "provider.auth", "gap", "hint.from_throw_site",
	} {
		_, ok := fault.ParseID(name)
		assert.False(t, ok, name)
	}
}

var (
	ruleName   = regexp.MustCompile(`^[a-z]+(\.[a-z]+(_[a-z]+)*)+$`)
	ruleAnchor = regexp.MustCompile(`^[a-z]+(-[a-z]+)+$`)
)

// an id, a message, a hint and a page.
func TestEveryRule(t *testing.T) {
	names, anchors, numbers := map[string]bool{}, map[string]bool{}, []fault.ID{}
	for r := range fault.All() {
		assert.Regexp(t, ruleName, r.Name)
		assert.Regexp(t, ruleAnchor, r.Anchor())
		assert.Equal(t, "docs/faults.md#"+r.Anchor(), r.Href())
		assert.False(t, names[r.Name], "%s stands twice", r.Name)
		assert.False(t, anchors[r.Anchor()], "%s stands twice", r.Anchor())
		names[r.Name], anchors[r.Anchor()] = true, true
		back, ok := fault.Lookup(r.Name)
		assert.True(t, ok)
		assert.Equal(t, r, back)
		if !(r.Match != nil && r.Match.Dynamic) {
			sentence(t, r.Name, r.Message)
			sentence(t, r.Name, r.Hint)
			assert.NotEmpty(t, r.Side.String(), r.Name)
		}
		if r.ID != 0 {
			numbers = append(numbers, r.ID)
			assert.Nil(t, r.Match, r.Name)
		} else {
			assert.NotEmpty(t, r.Match.Any, r.Name)
		}
	}
	assert.Equal(t, idsInUse(t), numbers, "rules stand in the order of their numbers")
	_, ok := fault.Lookup("stream.nothing")
	assert.False(t, ok)
}

func sentence(t *testing.T, name, text string) {
	t.Helper()
	assert.True(t, strings.HasSuffix(text, "."), "%s: %q ends with a full stop", name, text)
	assert.NotContains(t, text, "  ", name)
	assert.NotContains(t, text, "\n", name)
	assert.Less(t, len(text), 320, "%s: %q is short enough to read", name, text)
}

func TestEverySide(t *testing.T) {
	names := map[string]bool{}
	for n := range 256 {
		if name := fault.Side(n).String(); name != "" {
			assert.False(t, names[name])
			names[name] = true
		}
	}
	assert.Len(t, names, 6)
}

// closed walks the wire names of a list that starts at 1 and has n members.
func closed[T interface {
	~uint8
	String() string
}](t *testing.T, n int, parse func([]byte) (T, bool)) []T {
	t.Helper()
	var all []T
	seen := map[string]bool{}
	for i := range 256 {
		name := T(i).String()
		if name == "" {
			continue
		}
		back, ok := parse([]byte(name))
		assert.True(t, ok, name)
		assert.Equal(t, T(i), back, name)
		assert.False(t, seen[name], "%s stands twice", name)
		seen[name] = true
		all = append(all, T(i))
	}
	_, ok := parse(nil)
	assert.False(t, ok, "the empty name is no member")
	require.Len(t, all, n)
	return all
}

// The reasons and the details are closed lists.
func TestEveryRefusal(t *testing.T) {
	reasons := closed(t, 3, fault.ParseReason)
	details := closed(t, 16, fault.ParseDetail)
	used := map[fault.ID]bool{}
	for _, r := range reasons {
		plain := fault.RefusalID(r, fault.NoDetail)
		assert.Equal(t, "stream."+r.String(), plain.String())
		used[plain] = true
		for _, d := range details {
			id := fault.RefusalID(r, d)
			if d.Reason() == r {
				assert.Equal(t, "stream."+r.String()+"."+d.String(), id.String())
			} else {
				assert.Equal(t, plain, id, "%s does not narrow %s", d, r)
			}
			assert.NotEqual(t, fault.NoSide, fault.RuleOf(id).Side)
			used[id] = true
		}
	}
	for _, d := range details {
		assert.NotEqual(t, fault.NoReason, d.Reason(), d.String())
		assert.Zero(t, fault.RefusalID(fault.NoReason, d), "no reason, no refusal")
	}
	assert.Zero(t, fault.RefusalID(fault.Reason(200), fault.Detail(200)))
	assert.Equal(t, fault.NoReason, fault.Detail(200).Reason())
	for _, id := range idsInUse(t) {
		assert.Equal(t, id < 200, used[id], "%s is a refusal by its number and by its use", id)
	}
}

func TestEveryFaultExplainsItself(t *testing.T) {
	for _, id := range idsInUse(t) {
		rule := fault.RuleOf(id)
		for _, v := range []any{fault.New(id, "a", "b"), id} {
			got, ok := fault.Explain(v)
			require.True(t, ok)
			assert.Equal(t, fault.Explanation{ID: rule.Name, Message: rule.Message, Hint: rule.Hint}, got)
			normal := fault.Normalize(v)
			assert.Equal(t, rule.Code.String(), normal.Code)
			assert.Equal(t, rule.Retryable, normal.Retryable)
			name, _ := normal.Details.Text("rule")
			assert.Equal(t, rule.Name, name)
		}
	}
	_, ok := fault.Explain(fault.ID(999))
	assert.False(t, ok, "a number without a rule has no explanation, not a general one")
	assert.Equal(t, "unknown", fault.Normalize(fault.ID(999)).Code)
	assert.Contains(t, fault.ID(999).Error(), "stream."+strconv.Itoa(999))
}
