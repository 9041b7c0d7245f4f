package conform

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"asz/native/store"
)

// TestLinks puts links below the directory of a build, to what is a person's own: nothing is written through one, and none is
// replaced.
func TestLinks(t *testing.T) {
	t.Parallel()
	const id = "00000001-0000-4000-8000-0000000000fe"
	s := scenarioOf(t, staged)
	for format, names := range map[Format][]string{
		ClaudeCode: {
			"asz.yaml", "_source", "_source/-asz-scenario", "_source/-asz-scenario/" + id, "_source/-asz-scenario/" + id + ".jsonl",
			"_source/-asz-scenario/" + id + "/subagents", "_source/-asz-scenario/memory", "_source/-asz-scenario/notes.jsonl",
		},
		SessionData: {
			"asz.yaml", id, id + "/streams", id + "/streams/main", id + "/runs", id + "/index", id + "/index/entries.bin", id + "/session.state",
		},
	} {
		for _, name := range names {
			for _, to := range []string{"folder", "nothing", "copy"} {
				t.Run(string(format)+" "+name+" to "+to, func(t *testing.T) {
					t.Parallel()
					o := options(t, format)
					mine := t.TempDir()
					target := filepath.Join(mine, to)
					at := filepath.Join(o.Out, filepath.FromSlash(name))
					if to == "copy" { // what a person moved elsewhere, and linked to
						build(t, s, o)
						must(t, os.Rename(at, target))
					} else if to == "folder" {
						must(t, os.Mkdir(target, 0o755))
					}
					must(t, os.MkdirAll(filepath.Dir(at), 0o755))
					must(t, os.Symlink(target, at))
					before := tree(t, mine)
					_, err := tryBuild(s, o)
					if err == nil || !strings.Contains(err.Error(), filepath.ToSlash(at)+" is a link") {
						t.Errorf("got %v", err)
					}
					sameTree(t, tree(t, mine), before)
					if got, err := os.Readlink(at); err != nil || got != target {
						t.Errorf("the link is %q, %v", got, err)
					}
					if to != "copy" {
						if entries, err := os.ReadDir(o.Out); err != nil || len(entries) != 1 {
							t.Errorf("beside it there is %v, %v", entries, err)
						}
					}
				})
			}
		}
	}
}

// TestLinkToTheDirectory is how a person chose it.
func TestLinkToTheDirectory(t *testing.T) {
	t.Parallel()
	for _, format := range []Format{ClaudeCode, SessionData} {
		o := options(t, format)
		must(t, os.Mkdir(o.Out+"-real", 0o755))
		must(t, os.Symlink(o.Out+"-real", o.Out))
		build(t, scenarioOf(t, staged), o)
		build(t, scenarioOf(t, staged), o)
	}
}

// TestLinksAreListedOnce: a directory that all sessions share is not read again for each.
func TestLinksAreListedOnce(t *testing.T) {
	t.Parallel()
	disk := &listing{ReadFS: store.Disk(), lists: map[string]int{}}
	dir := t.TempDir()
	must(t, os.Mkdir(filepath.Join(dir, "shared"), 0o755))
	must(t, os.Mkdir(filepath.Join(dir, "shared", "0"), 0o755))
	l := links{disk: disk, in: map[string][]string{}, top: strings.Count(dir, "/") + 1}
	for i := range maxListed {
		l.in[fmt.Sprintf("%s/shared/%d/more", dir, i)] = nil
		must(t, l.none(dir, "shared/0/name"))
	}
	must(t, os.Mkdir(filepath.Join(dir, "shared", "1"), 0o755))
	must(t, l.none(dir, "shared/1/name"))
	must(t, l.none(dir, "shared/0/name"))
	if disk.lists[dir] != 1 || disk.lists[dir+"/shared"] != 1 || len(l.in) > 4 {
		t.Errorf("listed %v, %d are kept", disk.lists, len(l.in))
	}
}

// listing counts how often a directory is listed.
type listing struct {
	store.ReadFS
	lists map[string]int
}

func (l *listing) ReadDir(name string) ([]store.Entry, error) {
	l.lists[name]++
	return l.ReadFS.ReadDir(name)
}
