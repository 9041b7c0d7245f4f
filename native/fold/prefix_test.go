package fold_test

import (
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"

	"asz/native/store/crash"
)

// TestPrefixesOfRealHistories: however far a history had grown when it was collected and parsed, and however often that
// happened, the fold of all rounds is one assembly of what has landed.
func TestPrefixesOfRealHistories(t *testing.T) {
	t.Parallel()
	projects, err := os.ReadDir(realRoot)
	if err != nil {
		t.Skip("skipped: there are no recorded histories beside this clone")
	}
	for i, project := range projects {
		t.Run(project.Name(), func(t *testing.T) {
			t.Parallel()
			r := rand.New(rand.NewPCG(7, uint64(i)))
			for range 20 {
				source := t.TempDir()
				disk := crash.New()
				for stage := range 4 {
					grow(t, r, filepath.Join(realRoot, project.Name()), filepath.Join(source, project.Name()), stage == 3)
					root := historyRoot(t, disk, "/root", source)
					ids, err := root.Sessions()
					if err != nil {
						t.Fatal(err)
					}
					for _, id := range ids {
						b := &bed{TB: t, root: root, id: id}
						b.parse(1 + r.Int64N(1<<20))
						if landed, err := root.Session(id).Landed(); err != nil || len(landed) > 0 {
							b.foldsAsAssembled()
						} else if len(b.chain().Rounds) > 0 {
							t.Error("there is a round, and nothing has landed")
						}
					}
				}
			}
		})
	}
}

// grow copies files from one directory to another, each to a random length beyond what there is, or whole.
func grow(t *testing.T, r *rand.Rand, from, to string, whole bool) {
	t.Helper()
	err := filepath.WalkDir(from, func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		data, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(from, name)
		if err != nil {
			return err
		}
		target := filepath.Join(to, rel)
		had := int64(0)
		if info, err := os.Stat(target); err == nil {
			had = info.Size()
		} else if !whole && r.IntN(3) == 0 {
			return nil // it is not there yet
		}
		length := int64(len(data))
		if !whole && filepath.Ext(name) == ".jsonl" {
			length = had + r.Int64N(length-had+1)
		}
		if err := os.MkdirAll(filepath.Dir(target), 0o755); err != nil {
			return err
		}
		return os.WriteFile(target, data[:length], 0o644)
	})
	if err != nil {
		t.Fatal(err)
	}
}
