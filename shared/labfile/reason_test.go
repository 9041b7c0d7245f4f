package labfile_test

import (
	"os"
	"path/filepath"
	"testing"

	"asz/shared/labfile"
)

// TestReasonOfACircle: the words are the same in a binary and under Node, whose errors are not.
func TestReasonOfACircle(t *testing.T) {
	dir := t.TempDir()
	if err := os.Symlink("f", filepath.Join(dir, "f")); err != nil {
		t.Skip("no links here")
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer root.Close()
	_, err = root.Open("f")
	if err == nil {
		t.Fatal("a link to itself was opened")
	}
	if got := labfile.Reason(err); got != "its links lead in a circle" {
		t.Error(got)
	}
}
