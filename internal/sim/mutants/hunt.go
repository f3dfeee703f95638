package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
)

// hunt plays mutants.
type hunt struct {
	seeds int
	dir   string // for what is built
}

// play builds a mutant and plays seeds until one breaks a rule.
func (h *hunt) play(m *mutant) (verdict string, caught bool) {
	overlay, err := h.overlay(m)
	if err != nil {
		return err.Error(), false
	}
	program := filepath.Join(h.dir, "sim")
	build := exec.Command("go", "build", "-overlay", overlay, "-o", program, "./internal/sim/cmd/sim")
	if out, err := build.CombinedOutput(); err != nil {
		return "it does not build: " + string(bytes.TrimSpace(out)), false
	}
	out, err := exec.Command(program, "-quiet", "-enough", "1", "-seeds", strconv.Itoa(h.seeds)).Output()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		return err.Error(), false
	}
	if err == nil {
		return "no world of " + strconv.Itoa(h.seeds) + " is broken", false
	}
	first, _, _ := strings.Cut(string(out), "\n")
	return shorten(first), true
}

const widest = 150

func shorten(text string) string {
	if len(text) > widest {
		return text[:widest] + "…"
	}
	return text
}

// overlay writes the changed file, and the overlay that puts it in place of the
// real one.
func (h *hunt) overlay(m *mutant) (path string, err error) {
	file, err := filepath.Abs(m.file)
	if err != nil {
		return "", err
	}
	text, err := os.ReadFile(file)
	if err != nil {
		return "", err
	}
	if n := strings.Count(string(text), m.old); n != 1 {
		return "", fmt.Errorf("the rule stands there %d times: bring the table up to date", n)
	}
	changed := filepath.Join(h.dir, "changed.go")
	if err := os.WriteFile(changed, []byte(strings.Replace(string(text), m.old, m.new, 1)), 0o600); err != nil {
		return "", err
	}
	data, err := json.Marshal(map[string]any{"Replace": map[string]string{file: changed}})
	if err != nil {
		return "", err
	}
	path = filepath.Join(h.dir, "overlay.json")
	return path, os.WriteFile(path, data, 0o600)
}
