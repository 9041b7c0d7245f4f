package conform

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"asz/native/fold"
	"asz/native/store"
	"asz/native/view"
	"asz/shared/diag"
	"asz/shared/session"
)

// properties holds what every chain must keep, over the root as the last stage left it. The document is looked at first:
// later properties only add to the root's copies.
func (t *trial) properties() error {
	scratch, err := os.MkdirTemp("", "asz-check-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(scratch)
	h := &holding{trial: t, scratch: filepath.ToSlash(scratch)}
	for _, p := range h.all() {
		if t.expected.On(p.property) && (t.format == ClaudeCode || !p.property.OfRuntime()) {
			t.Held++
			t.hold(p.property.String(), p.holds(), t.expected.Properties[p.property].At)
		}
	}
	t.hold("a further parse", h.parseAgain(), diag.Span{})
	return nil
}

// held is a property of one format, and what looks whether it holds.
type held struct {
	property session.Property
	holds    func() error
}

// all are the properties in the order they are looked at.
func (h *holding) all() []held {
	return []held{
		{session.ViewCoversTheSession, h.viewCovers},
		{session.ImmutableRounds, h.immutable},
		{session.HeaderMatchesFold, h.headerMatches},
		{session.FoldEqualsParse, h.foldEqualsParse},
		{session.RecordsWellFormed, h.wellFormed},
		{session.Reproducible, h.reproducible},
		{session.Bundle, h.bundle},
		{session.RepackKeepsStructure, h.repack},
		{session.EveryLineARecord, h.everyLine},
		{session.DiscoveryIgnoresNoise, h.discovery},
		{session.RecollectIdempotent, h.recollect},
	}
}

// hold notes a property that does not hold, or that cannot be looked at; at is where it is asked for by name, if anywhere.
func (t *trial) hold(name string, err error, at diag.Span) {
	if err != nil {
		t.fail(Failure{Where: name, Got: err.Error(), At: at})
	}
}

// holding is the work on the properties of one format.
type holding struct {
	*trial
	scratch string
	copies  int
}

// copyOf makes another root with the session's files for which take holds; names are relative to the root.
func (h *holding) copyOf(take func(name string) bool) (*store.Root, error) {
	h.copies++
	to := path.Join(h.scratch, fmt.Sprintf("%s-%d", h.format, h.copies))
	for _, top := range []string{h.id, "_conversations"} {
		if err := copyFiles(h.dir, to, top, take); err != nil && !errors.Is(err, os.ErrNotExist) {
			return nil, err
		}
	}
	return &store.Root{FS: h.FS, Dir: to}, nil
}

// copyFiles copies the files below a directory of from for which take holds, with their modes; names are relative to from.
func copyFiles(from, to, top string, take func(name string) bool) error {
	from, to = filepath.FromSlash(from), filepath.FromSlash(to)
	return filepath.WalkDir(filepath.Join(from, filepath.FromSlash(top)), func(name string, entry os.DirEntry, err error) error {
		if err != nil || !entry.Type().IsRegular() {
			return err
		}
		rel, err := filepath.Rel(from, name)
		if err != nil || !take(filepath.ToSlash(rel)) {
			return err
		}
		target := filepath.Join(to, rel)
		if err := os.MkdirAll(filepath.Dir(target), 0o755); err != nil {
			return err
		}
		data, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		info, err := entry.Info()
		if err != nil {
			return err
		}
		return os.WriteFile(target, data, info.Mode().Perm())
	})
}

// reproducible: two parses of the same landed data from no chain write the same bytes.
func (h *holding) reproducible() error {
	var first map[string][]byte
	for range 2 {
		root, err := h.copyOf(func(name string) bool { return strings.HasPrefix(name, h.id+"/") })
		if err != nil {
			return err
		}
		if _, err := fold.Parse(root, h.id, h.parseOptions()); err != nil {
			return err
		}
		rounds, err := roundFiles(root, h.id)
		if err != nil {
			return err
		}
		if first == nil {
			first = rounds
			continue
		}
		for name, data := range first {
			if !bytes.Equal(data, rounds[name]) {
				return fmt.Errorf("the round %s of one parse is not in another one of the same landed files", name)
			}
		}
		if len(first) == 0 || len(first) != len(rounds) {
			return fmt.Errorf("one parse wrote %d rounds, another one %d", len(first), len(rounds))
		}
	}
	return nil
}

func roundFiles(root *store.Root, id string) (map[string][]byte, error) {
	chain, err := fold.Read(root, id)
	if err == nil {
		err = chain.Broken
	}
	if err != nil {
		return nil, err
	}
	out := map[string][]byte{}
	for _, r := range chain.Rounds {
		if out[r.Name], err = os.ReadFile(filepath.FromSlash(r.Path)); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// foldEqualsParse: the fold of all rounds is one assembly from the index as it is.
func (h *holding) foldEqualsParse() error {
	index, err := h.root.Session(h.id).Index()
	if err != nil {
		return err
	}
	whole, err := fold.Assemble(index, h.chain.ThroughSeq(), h.id)
	if err != nil {
		return err
	}
	return sameStructure("the fold", h.structure, "one assembly", &whole.Structure)
}

// sameStructure compares the nodes and relations of two structures, and what is open in them.
func sameStructure(aName string, a *fold.Structure, bName string, b *fold.Structure) error {
	lines := func(s *fold.Structure) []string {
		var out []string
		for i := range s.Nodes {
			n := &s.Nodes[i]
			line := fmt.Sprintf("the node %s of kind %s in %q on %q, %v %v", n.ID, n.Kind, n.Parent, n.Stream, n.Ref, n.Refs)
			for _, attr := range n.Attrs {
				line += ", " + attr.Key + " " + attrJSON(attr.Value)
			}
			out = append(out, line)
		}
		for _, r := range s.Relations {
			out = append(out, fmt.Sprintf("the relation %s from %s to %s, %s by %s, %v", r.ID, r.From, r.To, r.Quality, r.Via, r.Evidence))
		}
		for _, u := range s.Unresolved {
			if u.State == session.StateOpen {
				out = append(out, "the open reference "+u.ID)
			}
		}
		return out
	}
	return sameLines(aName, lines(a), bName, lines(b))
}

// sameLines compares two lists as sets.
func sameLines(aName string, a []string, bName string, b []string) error {
	slices.Sort(a)
	slices.Sort(b)
	for i := range max(len(a), len(b)) {
		switch {
		case i < len(a) && i < len(b) && a[i] == b[i]:
		case i == len(a) || i < len(b) && b[i] < a[i]:
			return fmt.Errorf("%s does not have what %s has: %s", aName, bName, b[i])
		default:
			return fmt.Errorf("%s does not have what %s has: %s", bName, aName, a[i])
		}
	}
	return nil
}

// immutable: each round is what it says, follows the one before, and cannot be written.
func (h *holding) immutable() error {
	for _, p := range h.report.Problems {
		if p.Kind == fold.DamagedRound {
			return errors.New(p.String())
		}
	}
	previous := ""
	for _, r := range h.chain.Rounds {
		info, err := h.FS.Stat(r.Path)
		switch {
		case err != nil:
			return err
		case info.Mode.Perm()&0o222 != 0:
			return fmt.Errorf("the round %s can be written (%v)", r.Name, info.Mode.Perm())
		case r.Header.Previous != previous:
			return fmt.Errorf("the round %s does not name the one before", r.Name)
		}
		previous = r.Digest
	}
	return nil
}

// bundle: landed files and rounds are enough, without index and states.
func (h *holding) bundle() error {
	root, err := h.copyOf(func(name string) bool { return strings.HasSuffix(name, ".sd") || strings.HasSuffix(name, ".sf") })
	if err != nil {
		return err
	}
	report, err := fold.Verify(root, h.id)
	if err != nil {
		return err
	}
	if len(report.Problems) > 0 {
		return fmt.Errorf("landed files and rounds alone do not verify: %s", report.Problems[0].String())
	}
	chain, err := fold.Read(root, h.id)
	if err == nil {
		err = chain.Broken
	}
	if err != nil {
		return err
	}
	folded, err := chain.Structure()
	if err != nil {
		return err
	}
	if err := sameStructure("the fold", h.structure, "that of landed files and rounds alone", folded); err != nil {
		return err
	}
	pass, err := root.Session(h.id).Lock()
	if err != nil {
		return err
	}
	err = pass.Reindex()
	if closing := pass.Close(); err == nil {
		err = closing
	}
	if err != nil {
		return err
	}
	index, err := root.Session(h.id).Index()
	if err != nil {
		return err
	}
	whole, err := fold.Assemble(index, chain.ThroughSeq(), h.id)
	if err != nil {
		return err
	}
	return sameStructure("the fold", h.structure, "an assembly from an index made anew", &whole.Structure)
}

// headerMatches: the head's header says what the fold holds.
func (h *holding) headerMatches() error {
	head := h.chain.Head()
	if head == nil {
		return errors.New("there is no round")
	}
	kinds := map[string]int64{}
	steps := int64(0)
	for i := range h.structure.Nodes {
		kinds[h.structure.Nodes[i].Kind]++
		if fold.IsStep(h.structure.Nodes[i].Kind) {
			steps++
		}
	}
	open := count(h.structure.Unresolved, func(u *fold.Unresolved) bool { return u.State == session.StateOpen })
	var title, from, through string
	for _, n := range h.structure.Nodes {
		if n.Kind == fold.KindSession {
			title, from, through = textAttr(&n, "title"), textAttr(&n, "from_time"), textAttr(&n, "through_time")
		}
	}
	is := head.Header
	for _, row := range []struct {
		name          string
		header, folds any
	}{
		{"title", is.Title, title}, {"session_from_time", is.SessionFrom, from}, {"session_through_time", is.SessionThrough, through},
		{"talks", is.Talks, kinds[fold.KindTalk]}, {"steps", is.Steps, steps}, {"streams", is.Streams, kinds[fold.KindStream]},
		{"segments", is.Segments, kinds[fold.KindSegment]}, {"unresolved", is.Unresolved, int64(open)},
	} {
		if row.header != row.folds {
			return fmt.Errorf("%s of the head's header is %v, and the fold has %v", row.name, row.header, row.folds)
		}
	}
	return nil
}

func textAttr(n *fold.Node, key string) string {
	v, _ := attrOf(n, key)
	text, _ := v.(string)
	return text
}

// parseAgain: without new evidence nothing is written.
func (h *holding) parseAgain() error {
	parsed, err := fold.Parse(h.root, h.id, h.parseOptions())
	if err == nil && len(parsed.Written) > 0 {
		err = fmt.Errorf("it wrote %d rounds, and nothing was new", len(parsed.Written))
	}
	return err
}

// repack: cut into files of one record, every record line is kept, and the structure but for its places.
func (h *holding) repack() error {
	to := &store.Root{FS: h.FS, Dir: path.Join(h.scratch, string(h.format)+"-repacked")}
	o := fold.RepackOptions{MaxDeltaBytes: 1, MaxRoundBytes: h.expected.MaxRoundBytes.Is, At: h.plan.Base}
	if err := fold.Repack(h.root, to, []string{h.id}, o, func(*fold.Repacked) error { return nil }); err != nil {
		return err
	}
	before, err := landedLines(h.root, h.id)
	if err != nil {
		return err
	}
	after, err := landedLines(to, h.id)
	if err != nil {
		return err
	}
	if err := sameRecords("the root", before, "the repacked one", after); err != nil {
		return err
	}
	chain, err := fold.Read(to, h.id)
	if err == nil {
		err = chain.Broken
	}
	if err != nil {
		return err
	}
	repacked, err := chain.Structure()
	if err != nil {
		return err
	}
	return sameLines("the root", shape(h.structure), "the repacked one", shape(repacked))
}

// shape is a structure without ids that name places: kinds, parents' kinds and relations.
func shape(s *fold.Structure) []string {
	kinds := map[string]string{"": ""}
	for i := range s.Nodes {
		kinds[s.Nodes[i].ID] = s.Nodes[i].Kind
	}
	var out []string
	for i := range s.Nodes {
		n := &s.Nodes[i]
		out = append(out, fmt.Sprintf("a %s in a %s on %s", n.Kind, kinds[n.Parent], n.Stream))
	}
	for _, r := range s.Relations {
		out = append(out, fmt.Sprintf("a %s from a %s to a %s", r.Type, kinds[r.From], kinds[r.To]))
	}
	return out
}

// viewCovers: the document shows the whole session, and is the same when it is made again.
func (h *holding) viewCovers() error {
	d := h.doc
	again, err := view.Document(h.root, h.id)
	if err != nil {
		return err
	}
	if !bytes.Equal(d.AppendJSON(nil), again.AppendJSON(nil)) {
		return errors.New("made twice, the document is not the same")
	}
	if len(d.Rounds) != len(h.chain.Rounds) {
		return fmt.Errorf("it lists %d of %d rounds", len(d.Rounds), len(h.chain.Rounds))
	}
	damaged := slices.ContainsFunc(h.report.Problems, func(p fold.Problem) bool { return p.Chain() })
	for i, r := range d.Rounds {
		if r.Digest != h.chain.Rounds[i].Digest || !r.Verified && !damaged {
			return fmt.Errorf("round %d is not listed as it is", r.Round)
		}
	}
	files := map[string]string{}
	for _, f := range d.Files {
		files[f.File] = f.Digest
	}
	for _, f := range h.report.Files {
		rel := strings.TrimPrefix(f.Path, path.Clean(h.root.Dir)+"/")
		if files[rel] != f.SHA256 {
			return fmt.Errorf("the landed file %s is not listed with its digest", rel)
		}
	}
	if err := h.inTrees(d); err != nil {
		return err
	}
	from, through := h.chain.Head().Header.SessionFrom, h.chain.Head().Header.SessionThrough
	if milliseconds(from) != d.Summary.From || milliseconds(through) != d.Summary.To {
		return fmt.Errorf("its range is %d to %d, and that of the session %s to %s", d.Summary.From, d.Summary.To, from, through)
	}
	if (d.Summary.State == view.Verified) == damaged {
		return fmt.Errorf("its state is %s, and verify reports %d problems", d.Summary.State, len(h.report.Problems))
	}
	return nil
}

// inTrees: each talk, run and step of the fold is in a tree of the document, once.
func (h *holding) inTrees(d *view.Doc) error {
	seen := map[string]int{}
	var walk func(nodes []*view.Node)
	walk = func(nodes []*view.Node) {
		for _, n := range nodes {
			seen[n.ID]++
			walk(n.Children)
		}
	}
	walk(d.Talks)
	walk(d.Loose)
	for i := range h.structure.Nodes {
		n := &h.structure.Nodes[i]
		if (n.Kind == fold.KindTalk || n.Kind == fold.KindRun || fold.IsStep(n.Kind)) && seen[n.ID] != 1 {
			return fmt.Errorf("the %s %s is in its trees %d times", n.Kind, n.ID, seen[n.ID])
		}
	}
	return nil
}

// milliseconds is a time of a header in unix milliseconds, 0 for none.
func milliseconds(text string) int64 {
	at, err := time.Parse(time.RFC3339Nano, text)
	if err != nil {
		return 0
	}
	return at.UnixMilli()
}
