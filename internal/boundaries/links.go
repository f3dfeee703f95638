package main

import (
	"os"
	"path"
	"path/filepath"
	"regexp"
	"strings"
)

var (
	linkTo   = regexp.MustCompile(`\]\(([^)\s]+)\)`)
	heading  = regexp.MustCompile(`(?m)^#{1,6} +(.+)$`)
	named    = regexp.MustCompile(`<a id="([^"]+)">`)
	fenced   = regexp.MustCompile("(?ms)^ *```.*?^ *```")
	unslug   = regexp.MustCompile(`[^\p{L}\p{N}_ -]`)
	external = regexp.MustCompile(`^[a-z]+:`)
)

// checkLinks follows every link of the pages that git has to a file of ours, and
// to the heading or the mark that it names in one.
func checkLinks(root string) ([]Finding, error) {
	out, err := output(root, nil, "git", "ls-files", "-z", "*.md")
	if err != nil {
		return nil, nil // without git there is nothing to look at
	}
	var found []Finding
	for _, page := range strings.FieldsFunc(out, func(r rune) bool { return r == 0 }) {
		text, err := os.ReadFile(filepath.Join(root, page))
		if err != nil {
			continue // deleted, and not yet committed
		}
		for _, m := range linkTo.FindAllStringSubmatch(fenced.ReplaceAllString(string(text), ""), -1) {
			if problem := dead(root, page, m[1]); problem != "" {
				found = append(found, Finding{page, "links to " + m[1], problem, "name what is meant, or leave the link out"})
			}
		}
	}
	return found, nil
}

// dead says what is wrong with a link, "" for one that leads somewhere or outside.
func dead(root, page, link string) string {
	file, anchor, _ := strings.Cut(link, "#")
	if external.MatchString(link) {
		return ""
	}
	if file == "" {
		file = path.Base(page)
	}
	target := filepath.Join(root, path.Dir(page), file)
	text, err := os.ReadFile(target)
	switch info, missing := os.Stat(target); {
	case missing != nil:
		return "there is no such file"
	case anchor == "" || info.IsDir() || err != nil || !strings.HasSuffix(file, ".md"):
		return ""
	case !anchors(string(text))[anchor]:
		return "the page has no such heading"
	}
	return ""
}

// anchors are the names by which places of a page can be reached.
func anchors(text string) map[string]bool {
	places := map[string]bool{}
	for _, m := range named.FindAllStringSubmatch(text, -1) {
		places[m[1]] = true
	}
	for _, m := range heading.FindAllStringSubmatch(fenced.ReplaceAllString(text, ""), -1) {
		places[strings.ReplaceAll(unslug.ReplaceAllString(strings.ToLower(strings.TrimSpace(m[1])), ""), " ", "-")] = true
	}
	return places
}
