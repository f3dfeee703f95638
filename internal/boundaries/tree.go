package main

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// maxFile is the largest file that may be committed, in bytes. Recordings for
// the tests are the largest that have a reason.
const maxFile = 512 << 10

// images may hold bytes that are no text.
var images = []string{".png", ".ico", ".woff2"}

// trace is a text that only the machine of one person makes sense of.
type trace struct {
	pattern *regexp.Regexp
	only    string // end of the file names it is looked for in; "" for all
	what    string
	do      string
}

var traces = []trace{
	{
		pattern: regexp.MustCompile(`(^|[\s"'=(\x60])(/(home|Users|root|work|tmp)/[\w.])`),
		what:    "a path of one machine",
		do:      "make it relative, or ask the system for a temporary folder",
	},
	{
		pattern: regexp.MustCompile(`"resolved": "https?://`),
		only:    "package-lock.json",
		what:    "the host of a registry",
		do:      "write the lock file with `npm install --omit-lockfile-registry-resolved`",
	},
}

// checkTree looks at the files that git has: their size, their bytes and the
// traces of one machine in them. Without git there is nothing to look at.
func checkTree(root string) ([]Finding, error) {
	if _, err := os.Stat(filepath.Join(root, ".git")); err != nil {
		return nil, nil
	}
	out, err := output(root, nil, "git", "ls-files", "-z")
	if err != nil {
		return nil, err
	}
	var found []Finding
	for _, name := range strings.Split(strings.Trim(out, "\x00"), "\x00") {
		data, err := os.ReadFile(filepath.Join(root, name))
		if os.IsNotExist(err) {
			continue // deleted, and not yet committed
		}
		if err != nil {
			return nil, err
		}
		found = append(found, judgeFile(name, data)...)
	}
	return found, nil
}

func judgeFile(name string, data []byte) []Finding {
	if len(data) > maxFile {
		return []Finding{{name, fmt.Sprintf("%d bytes", len(data)),
			fmt.Sprintf("no committed file is larger than %d", maxFile), "make it in the test, or cut it down to what it shows"}}
	}
	if slices.Contains(images, filepath.Ext(name)) {
		return nil
	}
	if bytes.IndexByte(data[:min(len(data), 8<<10)], 0) >= 0 {
		return []Finding{{name, "bytes that are no text", "what can be built is not committed", "git rm --cached it and add it to .gitignore"}}
	}
	var found []Finding
	for _, t := range traces {
		if at := t.pattern.FindIndex(data); at != nil && strings.HasSuffix(name, t.only) {
			line := 1 + bytes.Count(data[:at[0]], []byte("\n"))
			found = append(found, Finding{fmt.Sprintf("%s:%d", name, line), t.what, "it means nothing elsewhere", t.do})
		}
	}
	return found
}
