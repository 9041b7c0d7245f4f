package cli

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"asz/shared/command"
)

// findSession is the session that an id or the beginning of one names. The problem says why there is none.
func findSession(ids []string, given string) (id, problem string) {
	if slices.Contains(ids, given) {
		return given, ""
	}
	var near []string
	for _, id := range ids {
		if strings.HasPrefix(id, given) {
			near = append(near, id)
		}
	}
	switch {
	case len(near) == 1:
		return near[0], ""
	case len(near) == 0:
		return "", fmt.Sprintf("no session begins with %q", given)
	}
	more := ""
	if n := len(near) - 5; n > 0 {
		near, more = near[:5], fmt.Sprintf(" and %d more", n)
	}
	return "", fmt.Sprintf("%q is the beginning of several sessions: %s%s; write more of the id", given, strings.Join(near, ", "), more)
}

// leastID is how much of an id a table shows at least.
const leastID = 8

// shortened gives of ids how a table shows them: long hexadecimal ones by their beginning, which no other has.
func shortened(ids []string) func(id string) string {
	ids = slices.Compact(slices.Sorted(slices.Values(ids)))
	least := leastID
	for i := 1; i < len(ids); i++ {
		same := 0
		for same < min(len(ids[i-1]), len(ids[i])) && ids[i-1][same] == ids[i][same] {
			same++
		}
		if hexadecimal(ids[i-1]) && hexadecimal(ids[i]) {
			least = max(least, same+1)
		}
	}
	return func(id string) string {
		if hexadecimal(id) && len(id) > least {
			return id[:least]
		}
		return id
	}
}

// hexadecimal tells ids that nobody reads: digits, letters up to f, hyphens.
func hexadecimal(id string) bool { return strings.Trim(id, "0123456789abcdefABCDEF-") == "" }

// writeJSON prints a value on one line.
func writeJSON(c *command.Call, value any) int {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(value); err != nil {
		return c.Fail(exitFindings, "%v", err)
	}
	return writeLines(c, b.Bytes())
}

// writeLines prints JSON lines: byte for byte, but to a terminal without what would act on it.
func writeLines(c *command.Call, text []byte) int {
	if c.StdoutTerminal {
		text = []byte(plain(string(text)))
	}
	if _, err := c.Stdout.Write(text); err != nil {
		return c.Fail(exitFindings, "the output cannot be written: %v", err)
	}
	return 0
}
