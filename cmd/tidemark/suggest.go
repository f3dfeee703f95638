package main

import (
	"slices"
	"strings"
)

// suggestions are the commands that a mistyped name may stand for: those it
// begins, those of the same letters, and those at most two slips away.
func suggestions(name string) []string {
	name = strings.ToLower(name)
	var near []string
	for _, cmd := range append(commands(), command{name: "help"}) {
		begins := name != "" && strings.HasPrefix(cmd.name, name)
		if begins || sameLetters(name, cmd.name) || distance(name, cmd.name) <= slips(cmd.name) {
			near = append(near, cmd.name)
		}
	}
	return near
}

func sameLetters(a, b string) bool {
	x, y := []byte(a), []byte(b)
	slices.Sort(x)
	slices.Sort(y)
	return slices.Equal(x, y)
}

// slips is how many mistakes a name of this length can bear.
func slips(name string) int { return min(2, len(name)/3) }

// distance counts the letters to add, drop or change between two words.
func distance(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			change := diagonal
			if a[i] != b[j] {
				change++
			}
			diagonal = row[j+1]
			row[j+1] = min(change, row[j]+1, row[j+1]+1)
		}
	}
	return row[len(b)]
}
