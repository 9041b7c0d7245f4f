package crash

import (
	"errors"
	"slices"
	"testing"
)

// TestImages names all that a crash can leave of one file that is written, synced and renamed.
func TestImages(t *testing.T) {
	t.Parallel()
	d := New()
	d.WriteFile("/old", "old")
	d.Settle()
	w, err := d.Create("/temp")
	if err != nil {
		t.Fatal(err)
	}
	_, err = w.Write([]byte("abcd"))
	err = errors.Join(err, w.Sync(), d.Rename("/temp", "/old"), d.SyncDir("/"))
	if err != nil {
		t.Fatal(err)
	}
	var killed, power []string
	for image := range d.Images() {
		left := ""
		for _, name := range image.Disk.Files() {
			data, _ := image.Disk.ReadFile(name)
			left += name + "=" + data + " "
		}
		if image.Power {
			power = append(power, left)
		} else {
			killed = append(killed, left)
		}
	}
	if want := []string{"/old=old ", "/old=old /temp= ", "/old=old /temp=abcd ", "/old=abcd "}; !slices.Equal(killed, want) {
		t.Errorf("killed: %q, want %q", killed, want)
	}
	slices.Sort(power)
	want := []string{"/old=abcd ", "/old=old ", "/old=old /temp= ", "/old=old /temp=ab ", "/old=old /temp=abcd "}
	if !slices.Equal(power, want) {
		t.Errorf("power: %q, want %q", power, want)
	}
}
