package store_test

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"
	"unicode/utf8"

	"asz/native/store"
	"asz/native/store/crash"
)

// land lands records in a file of the main transcript and gives back its place.
func land(t testing.TB, root *store.Root, records ...*store.Record) store.Landed {
	t.Helper()
	p, err := root.Session(session).Lock()
	if err != nil {
		t.Fatal(err)
	}
	defer p.Close()
	p.Begin(stamp)
	l, err := p.Land(header(sources()[0]), func(l *store.Landing) error {
		for _, r := range records {
			if err := l.Record(r); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if err := p.Commit(); err != nil {
		t.Fatal(err)
	}
	return l
}

// lines reads the record lines of a landed file.
func lines(t testing.TB, disk store.ReadFS, path string) []string {
	t.Helper()
	f, err := store.OpenLanded(disk, path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var out []string
	err = f.Each(func(row int, line []byte) error {
		if row != len(out)+1 {
			t.Errorf("row %d comes after %d", row, len(out))
		}
		out = append(out, string(line))
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func memory() *store.Root { return &store.Root{FS: crash.New(), Dir: "/root"} }

func full() *store.Record {
	failed := true
	return &store.Record{
		Ord: 7, Off: 512, SHA: "0123456789ab", Bytes: 99,
		ID: "i", Parent: "p", Call: "c", Run: "r", Continues: "co", Tool: "t", Child: "ch", Batch: "b", StartedBy: "s", Label: "<all> & \u2028\u2029 é \x00\n\"\\",
		From: store.FromAgent, Time: "2026-01-01T00:00:00.123Z", Trigger: store.TriggerUnknown,
		Flags: store.ExternalInput | store.Finished | store.Sidechain, Usage: &store.Usage{In: 1, Out: 2, CacheRead: 3, CacheWrite: 4},
		Parts: []store.Part{
			{K: store.PartCall, State: store.Available, Bytes: 3, ID: "t1", Name: "Bash", Data: `{"a":[1,2.50,"\ud800 \" ]"],"b":null}`},
			{K: store.PartResult, State: store.Truncated, Bytes: 3, Of: "t1", Failed: &failed, MediaType: "text/plain", Text: `"a \" \\"`, Data: `false`},
			{K: store.PartUnknown, State: store.Available, Bytes: 5, Text: `"why"`, Source: "a<b\n"},
			{K: store.PartUnknown, State: store.Available, Bytes: 2, Source: "\xff\x00"},
		},
		Dropped: []store.Dropped{{What: "reasoning signature", Bytes: 3, Why: "it is opaque"}},
	}
}

func TestLandedFileIsAsTheContractSays(t *testing.T) {
	t.Parallel()
	root := memory()
	l := land(t, root, full())
	if want := "/root/" + session + "/streams/main/transcript-20260102T030405.000000006Z-000001.sd"; l.Path != want {
		t.Errorf("path %s, want %s", l.Path, want)
	}
	want := `{"h":1,"schema":"sd/1","seq":1,"at":"2026-01-02T03:04:05.000000006Z","kind":"transcript","adapter":"mock/1","dialect":"mock/1","src":"p/main.jsonl","session":"` + session + `","stream":"main"}
{"ord":7,"off":512,"sha":"0123456789ab","bytes":99,"id":"i","parent":"p","call":"c","run":"r","continues":"co","tool":"t","child":"ch","batch":"b","started_by":"s","label":"<all> & ` + "\u2028\u2029" + ` é \u0000\n\"\\","from":"agent","time":"2026-01-01T00:00:00.123Z","trigger":"unknown","flags":["external_input","finished","sidechain"],"usage":{"in":1,"out":2,"cache_read":3,"cache_write":4},"parts":[{"k":"call","state":"available","bytes":3,"id":"t1","name":"Bash","data":{"a":[1,2.50,"\ud800 \" ]"],"b":null}},{"k":"result","state":"truncated","bytes":3,"of":"t1","failed":true,"media_type":"text/plain","text":"a \" \\","data":false},{"k":"unknown","state":"available","bytes":5,"text":"why","data":"a<b\n"},{"k":"unknown","state":"available","bytes":2,"encoding":"base64","data":"/wA="}],"dropped":[{"what":"reasoning signature","bytes":3,"why":"it is opaque"}]}
`
	got := read(t, root.FS, l.Path)
	if !strings.HasPrefix(got, want) {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	if !strings.HasPrefix(got[min(len(want), len(got)):], `{"t":"end","records":1,"digest":"`) || int64(len(got)) != l.Size {
		t.Errorf("the closing line is %s, and the size %d", got[len(want):], l.Size)
	}
	info, err := root.FS.Stat(l.Path)
	if err != nil || info.Mode != 0o444 {
		t.Errorf("mode %v, %v", info.Mode, err)
	}
	var back store.Record
	if err := back.Read([]byte(lines(t, root.FS, l.Path)[0])); err != nil {
		t.Fatal(err)
	}
	again := full()
	again.Parts[2].Source, again.Parts[2].Data = "", `"a<b\n"`
	again.Parts[3].Source, again.Parts[3].Data = "", `"/wA="`
	if !reflect.DeepEqual(&back, again) {
		t.Errorf("read back:\n%+v\nwant\n%+v", back, *again)
	}
}

// texts are pieces that a JSON writer can get wrong.
var texts = []string{"", "a", "\"", "\\", "\x00", "\x1f", "\x7f", "\n", "é", "\U0001F600", "\u2028", "<>&", "\xed\xa0\x80", "\xed\xbf\xbf", "\xff", "\xc3", "\xed\xa0", "\xf0\x9f"}

func TestTextsRoundTrip(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(1, 2))
	var records []*store.Record
	for i := range 500 {
		var b strings.Builder
		for range random.IntN(6) {
			b.WriteString(texts[random.IntN(len(texts))])
		}
		r := &store.Record{Ord: int64(i + 1), ID: b.String(), Label: b.String(), Parts: []store.Part{{K: store.PartUnknown, State: store.Available, Source: b.String()}}}
		records = append(records, r)
	}
	root := memory()
	l := land(t, root, records...)
	if !utf8.ValidString(read(t, root.FS, l.Path)) {
		t.Error("the file is no UTF-8")
	}
	for i, line := range lines(t, root.FS, l.Path) {
		want := records[i].ID
		var std struct {
			Label string
			Parts []struct{ Data, Encoding string }
		}
		if err := json.Unmarshal([]byte(line), &std); err != nil {
			t.Fatalf("%s: %v", line, err)
		}
		if utf8.ValidString(want) && std.Label != want {
			t.Errorf("another reader sees %q, want %q", std.Label, want)
		}
		source := std.Parts[0].Data
		if std.Parts[0].Encoding == "base64" {
			data, err := base64.StdEncoding.DecodeString(source)
			if err != nil {
				t.Error(err)
			}
			source = string(data)
		}
		if source != want {
			t.Errorf("source %q, want %q", source, want)
		}
		var r store.Record
		if err := r.Read([]byte(line)); err != nil {
			t.Fatalf("%s: %v", line, err)
		}
		if utf8.ValidString(want) && r.ID != want {
			t.Errorf("read %q, want %q", r.ID, want)
		}
	}
	for _, lone := range []string{"\xed\xa0\x80", "x\xed\xbf\xbfy"} {
		l := land(t, root, &store.Record{Ord: 1, ID: lone})
		line := lines(t, root.FS, l.Path)[0]
		var r store.Record
		if err := r.Read([]byte(line)); err != nil || r.ID != lone || !strings.Contains(line, `\ud`) {
			t.Errorf("%q came back as %q from %s, %v", lone, r.ID, line, err)
		}
	}
	sameIndexAnew(t, root)
}

// sameIndexAnew compares the index made when records landed with one made from the files.
func sameIndexAnew(t *testing.T, root *store.Root) {
	t.Helper()
	before := read(t, root.FS, root.Dir+"/"+session+"/index/entries.bin") + read(t, root.FS, root.Dir+"/"+session+"/index/index.state")
	p, err := root.Session(session).Lock()
	if err != nil {
		t.Fatal(err)
	}
	defer p.Close()
	if err := p.Reindex(); err != nil {
		t.Fatal(err)
	}
	after := read(t, root.FS, root.Dir+"/"+session+"/index/entries.bin") + read(t, root.FS, root.Dir+"/"+session+"/index/index.state")
	if before != after {
		t.Error("built anew, the index is another one")
	}
}

func TestRawThatWouldBreakTheFileIsRefused(t *testing.T) {
	t.Parallel()
	root := memory()
	p, err := root.Session(session).Lock()
	if err != nil {
		t.Fatal(err)
	}
	p.Begin(stamp)
	for _, part := range []store.Part{{Data: "{\n}"}, {Text: "\"a\nb\""}, {Text: "bare"}, {Text: `"`}} {
		l, err := p.Land(header(sources()[0]), func(l *store.Landing) error {
			if err := l.Record(&store.Record{Ord: 1}); err != nil {
				return err
			}
			return l.Record(&store.Record{Ord: 2, Parts: []store.Part{part}})
		})
		if err == nil || !strings.Contains(err.Error(), "line 2") {
			t.Errorf("%+v was landed as %v, %v", part, l, err)
		}
	}
	if l, err := p.Land(header(sources()[0]), func(*store.Landing) error { return nil }); err != nil || l.Seq != 0 {
		t.Errorf("nothing was landed as %v, %v", l, err)
	}
	p.Close()
	for _, name := range root.FS.(*crash.Disk).Files() {
		if !strings.HasSuffix(name, ".lock") {
			t.Errorf("%s is left", name)
		}
	}
	if l := land(t, root, full()); l.Seq != 1 {
		t.Errorf("seq %d, want 1: nothing was landed before", l.Seq)
	}
}

func TestEveryChangedBitIsFound(t *testing.T) {
	t.Parallel()
	root := memory()
	l := land(t, root, full(), full())
	good := read(t, root.FS, l.Path)
	disk := crash.New()
	check := func(data string) error {
		disk.WriteFile("/file", data)
		disk.Settle()
		f, err := store.OpenLanded(disk, "/file")
		if err != nil {
			return err
		}
		defer f.Close()
		return f.Each(func(int, []byte) error { return nil })
	}
	if err := check(good); err != nil {
		t.Fatal(err)
	}
	for i := range len(good) * 8 {
		bad := []byte(good)
		bad[i/8] ^= 1 << (i % 8)
		if err := check(string(bad)); !errors.Is(err, store.ErrDamaged) {
			t.Fatalf("bit %d of byte %d changed: %v", i%8, i/8, err)
		}
	}
	for n := range good {
		if err := check(good[:n]); !errors.Is(err, store.ErrDamaged) {
			t.Fatalf("cut off at %d: %v", n, err)
		}
		if err := check(good[:n] + "\n" + good[n:]); !errors.Is(err, store.ErrDamaged) {
			t.Fatalf("a newline put in at %d: %v", n, err)
		}
	}
	for _, more := range []string{"\n", "x", good} {
		if err := check(good + more); !errors.Is(err, store.ErrDamaged) {
			t.Errorf("%d bytes behind the end: %v", len(more), err)
		}
	}
}

func TestHeadersThatAreRefused(t *testing.T) {
	t.Parallel()
	disk := crash.New()
	fields := []string{`"h":1`, `"schema":"sd/1"`, `"kind":"journal"`, `"session":"s"`, `"src":"x"`, `"dialect":"d"`}
	check := func(header string) error {
		body := header + "\n"
		disk.WriteFile("/file", body+"{\"t\":\"end\",\"records\":0,\"digest\":\""+fmt.Sprintf("%064x", 0)+"\"}\n")
		_, err := store.OpenLanded(disk, "/file")
		return err
	}
	if err := check("{" + strings.Join(fields, ",") + "}"); err != nil {
		t.Fatal(err)
	}
	for i := range fields {
		rest := append(append([]string{}, fields[:i]...), fields[i+1:]...)
		name, _, _ := strings.Cut(strings.Trim(fields[i], `"`), `"`)
		if err := check("{" + strings.Join(rest, ",") + "}"); !errors.Is(err, store.ErrDamaged) || !strings.Contains(err.Error(), "no "+name) {
			t.Errorf("without %s: %v", name, err)
		}
	}
	for _, header := range []string{"", "[]", "{", "null", `"x"`, "{\"h\":\"1\"}"} {
		if err := check(header); !errors.Is(err, store.ErrDamaged) {
			t.Errorf("%q: %v", header, err)
		}
	}
}

// TestLinesOfAnyLength has lines around the sizes of the reader's buffers.
func TestLinesOfAnyLength(t *testing.T) {
	t.Parallel()
	root := memory()
	var records []*store.Record
	for i, n := range []int{0, 1, 4095, 64<<10 - 200, 64 << 10, 256<<10 - 1, 256 << 10, 256<<10 + 1, 3, 1 << 20, 5} {
		records = append(records, &store.Record{
			Ord: int64(i + 1), Off: int64(i), Bytes: int64(n), SHA: "0123456789ab", ID: fmt.Sprint("id", i),
			Parts: []store.Part{{K: store.PartUnknown, State: store.Available, Source: strings.Repeat("\"", n)}},
		})
		l := land(t, root, records...)
		got := lines(t, root.FS, l.Path)
		for j, line := range got {
			var r store.Record
			if err := r.Read([]byte(line)); err != nil {
				t.Fatal(err)
			}
			if want := `"` + strings.Repeat(`\"`, len(records[j].Parts[0].Source)) + `"`; r.Ord != int64(j+1) || len(want) > 2 && string(r.Parts[0].Data) != want {
				t.Errorf("record %d of %d is not what it was", j+1, len(records))
			}
		}
		p, err := root.Session(session).Lock()
		if err != nil {
			t.Fatal(err)
		}
		pos, err := p.Tail(l)
		p.Close()
		if want := (store.RecordPos{Ord: int64(i + 1), Off: int64(i), Bytes: int64(n), SHA: "0123456789ab", UUID: fmt.Sprint("id", i)}); err != nil || pos != want {
			t.Errorf("tail %+v, %v, want %+v", pos, err, want)
		}
	}
	l := land(t, root, &store.Record{Ord: 3, ID: strings.Repeat("x", 1<<20)})
	p, err := root.Session(session).Lock()
	if err != nil {
		t.Fatal(err)
	}
	defer p.Close()
	if pos, err := p.Tail(l); err != nil || len(pos.UUID) != 1<<20 {
		t.Errorf("tail with a long id: %d, %v", len(pos.UUID), err)
	}
}

func FuzzRead(f *testing.F) {
	f.Add([]byte(`{"ord":1,"off":0,"sha":"x","bytes":3,"parts":[{"k":"text","state":"available","bytes":1,"text":"\ud83d\ude00"}],"flags":["error"],"usage":{"in":1},"dropped":[{"what":"x","bytes":1,"why":"y"}]}`))
	f.Add([]byte(`{"ord":1,"x":[{"a":"]"},1.5e3,true]}`))
	f.Fuzz(func(t *testing.T, line []byte) {
		before := bytes.Clone(line)
		var r store.Record
		if err := r.Read(line); err == nil && r.Ord < 1 {
			t.Error("a record without a line")
		}
		if !bytes.Equal(before, line) {
			t.Error("the line was changed")
		}
	})
}

// TestLinesAreCopiedAsTheyAre lands the lines of another file.
func TestLinesAreCopiedAsTheyAre(t *testing.T) {
	t.Parallel()
	from, to := memory(), memory()
	want := lines(t, from.FS, land(t, from, full(), common(2)).Path)
	_, p := begin(t, to.FS, to.Dir)
	l, err := p.Land(header(sources()[0]), func(l *store.Landing) error {
		if err := l.Line([]byte("{}")); err == nil {
			t.Error("what is no record was landed")
		}
		for _, line := range want {
			if err := l.Line([]byte(line)); err != nil {
				return err
			}
		}
		return nil
	})
	if err == nil {
		err = p.Commit()
	}
	if err != nil {
		t.Fatal(err)
	}
	p.Close()
	if got := lines(t, to.FS, l.Path); !reflect.DeepEqual(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
	sameIndexAnew(t, to)
}
