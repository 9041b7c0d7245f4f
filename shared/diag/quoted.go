package diag

import (
	"strconv"
	"strings"
	"unicode"
)

// Quoted shows a name in a message, all of it on one line and not too long.
func Quoted(name string) string {
	const most = 60
	if len(name) > most {
		name = strings.ToValidUTF8(name[:most], "") + "…"
	}
	if strings.ContainsFunc(name, unicode.IsControl) || strings.Contains(name, "`") || name == "" {
		return strconv.Quote(name)
	}
	return "`" + name + "`"
}
