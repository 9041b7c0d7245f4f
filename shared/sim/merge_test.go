package sim

import "testing"

// A folder that is copied into itself twice, again and again, doubles each time: that ends in a message, not in a dead
// page.
func TestCopyDoubles(t *testing.T) {
	files, err := Files{}.Write("d/f", "x")
	for n := 0; err == nil && n < 100; n++ {
		if files, err = files.copy("d", "d/d"); err == nil {
			files, err = files.copy("d", "d/e")
		}
	}
	if err != errTooMany {
		t.Errorf("copied without an end: %v", err)
	}
}
