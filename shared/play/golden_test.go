package play_test

import (
	"bytes"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"asz/shared/command"
)

var update = flag.Bool("update", false, "write the transcripts of labs/*/play.txtar anew")

// TestLabsPlay plays each of the project's labs by its script and compares the
// transcript, byte for byte; it runs natively and as wasm under Node.
func TestLabsPlay(t *testing.T) {
	plays, err := filepath.Glob("../../labs/*/play.txtar")
	if err != nil || len(plays) < 2 {
		t.Fatalf("found %d labs, %v", len(plays), err)
	}
	for _, file := range plays {
		lab := filepath.Dir(file)
		t.Run(filepath.Base(lab), func(t *testing.T) {
			golden, err := txtar.ParseFile(file)
			if err != nil {
				t.Fatal(err)
			}
			if len(golden.Files) != 2 || golden.Files[0].Name != "script" || golden.Files[1].Name != "transcript" {
				t.Fatal("play.txtar holds the files script and transcript, in this order")
			}
			var out, problems bytes.Buffer
			h := &command.Host{Stdin: bytes.NewReader(golden.Files[0].Data), Stdout: &out, Stderr: &problems}
			if exit := command.Play().Do(h, []string{lab, "--script", "-"}); exit != 0 || problems.Len() > 0 {
				t.Fatalf("exit %d\n%s", exit, &problems)
			}
			if *update {
				golden.Files[1].Data = out.Bytes()
				if err := os.WriteFile(file, txtar.Format(golden), 0o644); err != nil {
					t.Fatal(err)
				}
				return
			}
			want := strings.Split(string(golden.Files[1].Data), "\n")
			for i, line := range strings.Split(out.String(), "\n") {
				if i >= len(want) || line != want[i] {
					t.Fatalf("transcript line %d: got %q; run the test with -update if that is right", i+1, line)
				}
			}
			if len(want) != strings.Count(out.String(), "\n")+1 {
				t.Fatal("the transcript goes on")
			}
		})
	}
}
