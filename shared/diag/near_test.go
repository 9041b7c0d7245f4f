package diag

import (
	"strings"
	"testing"
)

func TestNearest(t *testing.T) {
	names := []string{"command", "comment", "args", "id", "exit", "saveAs", "content"}
	for key, want := range map[string]string{
		"comand": "command", "Command": "command", "commadn": "command", "arg": "args", "save-as": "saveAs", "SAVE_AS": "saveAs",
		"comm": "", "x": "", "colour": "", "ecit": "exit", "contnet": "content", strings.Repeat("a", 100): "",
	} {
		if got := Nearest(key, names); got != want {
			t.Errorf("Nearest(%q) = %q, want %q", key, got, want)
		}
	}
}
