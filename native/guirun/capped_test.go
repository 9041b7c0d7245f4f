package guirun

import (
	"fmt"
	"strings"
	"testing"
)

func TestCappedKeepsBothEnds(t *testing.T) {
	text := "äbcdefghijklmnopqrstuvwxyz0123456789é"
	for limit := 2; limit < len(text)+3; limit++ {
		for step := 1; step <= len(text); step++ {
			c := newCapped(limit)
			for at := 0; at < len(text); at += step {
				c.Write([]byte(text[at:min(at+step, len(text))]))
			}
			got, cut := c.text()
			if limit >= len(text) {
				if got != text || cut != 0 {
					t.Fatalf("limit %d, steps of %d: %q, %d cut", limit, step, got, cut)
				}
				continue
			}
			head, tail, marked := strings.Cut(got, fmt.Sprintf("\n… %d bytes cut …\n", cut))
			if !marked || !strings.HasPrefix(text, head) || !strings.HasSuffix(text, tail) || int(cut)+len(head)+len(tail) != len(text) {
				t.Fatalf("limit %d, steps of %d: %q, %d cut", limit, step, got, cut)
			}
			if kept := len(head) + len(tail); kept > limit || kept < limit-2 || !strings.Contains(text, head) {
				t.Fatalf("limit %d: %d bytes kept", limit, kept)
			}
		}
	}
}
