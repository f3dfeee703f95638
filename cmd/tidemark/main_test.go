package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func invoke(args ...string) (code int, out, errs string) {
	var o, e bytes.Buffer
	code = run(args, console{strings.NewReader(""), &o, &e})
	return code, o.String(), e.String()
}

func TestHelpNamesEveryCommand(t *testing.T) {
	code, out, _ := invoke("help")
	assert.Equal(t, exitOK, code)
	for _, cmd := range commands() {
		assert.Contains(t, out, "  "+cmd.name+" ")
		assert.NotEmpty(t, cmd.summary)
	}
	code, out, errs := invoke()
	assert.Equal(t, exitUsage, code)
	assert.Empty(t, out)
	assert.Contains(t, errs, "usage: tidemark <command>")
}

func TestEveryCommandExplainsItself(t *testing.T) {
	for _, cmd := range commands() {
		if cmd.name == "version" {
			continue
		}
		code, out, errs := invoke(cmd.name, "--help")
		assert.Equal(t, exitOK, code, cmd.name)
		assert.Contains(t, out+errs, cmd.name, cmd.name)
	}
}

func TestAMistypedCommandGetsASuggestion(t *testing.T) {
	for typed, meant := range map[string]string{"gne": "gen", "hepl": "help", "vers": "version", "Gen": "gen", "versoin": "version"} {
		code, _, errs := invoke(typed)
		assert.Equal(t, exitUsage, code)
		assert.Contains(t, errs, "did you mean: tidemark "+meant+"\n", typed)
	}
	_, _, errs := invoke("entirely-else")
	assert.NotContains(t, errs, "did you mean")
	assert.Contains(t, errs, "tidemark help")
}

func TestVersionIsThatOfTheFile(t *testing.T) {
	text, err := os.ReadFile(filepath.Join("..", "..", "version.txt"))
	require.NoError(t, err)
	for _, name := range []string{"version", "--version"} {
		code, out, _ := invoke(name)
		assert.Equal(t, exitOK, code)
		assert.Equal(t, strings.TrimSpace(string(text))+"\n", out)
	}
	code, _, _ := invoke("version", "please")
	assert.Equal(t, exitUsage, code)
}

func TestGenWritesAndChecks(t *testing.T) {
	root := t.TempDir()
	rules, err := os.ReadFile(filepath.Join("..", "..", "docs", "protocol.md"))
	require.NoError(t, err)
	require.NoError(t, os.Mkdir(filepath.Join(root, "docs"), 0o755))
	for path, text := range map[string][]byte{"go.mod": nil, "docs/protocol.md": rules} { // what is read; the rest is written
		require.NoError(t, os.WriteFile(filepath.Join(root, path), text, 0o644))
	}
	code, out, _ := invoke("gen", "--check", "--root", root)
	assert.Equal(t, exitFound, code)
	assert.Contains(t, out, "docs/events.md: is not there")

	code, out, errs := invoke("gen", "--root", root)
	assert.Equal(t, exitOK, code, errs)
	assert.Contains(t, out, "wrote docs/events.md")
	code, out, _ = invoke("gen", "--check", "--root", root)
	assert.Equal(t, exitOK, code, out)

	page := filepath.Join(root, "docs", "events.md")
	require.NoError(t, os.WriteFile(page, []byte("# Events\n"), 0o644))
	code, out, _ = invoke("gen", "--check", "--root", root)
	assert.Equal(t, exitFound, code)
	assert.Contains(t, out, "docs/events.md: differs from line 1 on")
}

func TestGenIsToldNonsense(t *testing.T) {
	for _, args := range [][]string{{"gen", "now"}, {"gen", "--chekc"}, {"gen", "--root", filepath.Join(t.TempDir(), "none")}} {
		code, _, errs := invoke(args...)
		assert.Equal(t, exitUsage, code, args)
		assert.NotEmpty(t, errs, args)
	}
}
