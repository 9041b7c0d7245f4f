package diag

import "strings"

// Nearest gives the one name that a misspelt word comes nearest to, "" when none is near or two are
// equally near.
func Nearest(key string, names []string) string {
	best, least, unique := "", 2+min(len(key), 12)/4, false
	for _, name := range names {
		d := Distance(plainForm(key), plainForm(name))
		switch {
		case d >= len(name):
		case d < least:
			best, least, unique = name, d, true
		case d == least:
			unique = false
		}
	}
	if !unique {
		return ""
	}
	return best
}

// plainForm drops what people vary in keys: case, dashes, underscores.
func plainForm(s string) string {
	return strings.NewReplacer("-", "", "_", "").Replace(strings.ToLower(s))
}

// Distance counts the edits (insert, delete, replace, swap neighbours) between two words, in bytes.
// Words too long to be misspelt are simply far apart.
func Distance(a, b string) int {
	const longest = 64
	if a == b {
		return 0
	}
	if len(a) > longest || len(b) > longest {
		return longest
	}
	rows := [3][longest + 1]int{}
	for j := range len(b) + 1 {
		rows[0][j] = j
	}
	for i := 1; i <= len(a); i++ {
		cur, prev, before := &rows[i%3], &rows[(i+2)%3], &rows[(i+1)%3]
		cur[0] = i
		for j := 1; j <= len(b); j++ {
			cost := 1
			if a[i-1] == b[j-1] {
				cost = 0
			}
			cur[j] = min(prev[j]+1, cur[j-1]+1, prev[j-1]+cost)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				cur[j] = min(cur[j], before[j-2]+1)
			}
		}
	}
	return rows[len(a)%3][len(b)]
}
