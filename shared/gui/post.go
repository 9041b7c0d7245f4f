package gui

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"asz/shared/diag"
	"asz/shared/yamldoc"
)

// PostKind is what a postcondition looks at.
type PostKind uint8

// The kinds, from the strongest evidence to the weakest.
const (
	PostURL PostKind = iota
	PostDOM
	PostState
	PostWindow
	PostNoWindow
	PostProcess
	PostNoProcess
	PostFile
	PostScreen
	postCount
)

// Post is one postcondition.
type Post struct {
	Kind    PostKind
	Text    string        // the substring, expression, path or description; of PostState as written
	State   StateCheck    // of PostState
	Timeout time.Duration // 0 = checked once; of PostScreen always 0
	At      diag.Span     // of the kind's key; nowhere while the kind is not known
}

var postTable = [postCount]struct {
	word  string
	needs need
	doc   string
}{
	PostURL:       {"url", needsCDP, "the tab's URL contains this"},
	PostDOM:       {"dom", needsCDP, "this JavaScript expression is true in the page"},
	PostState:     {"state", needsATSPI, "a control is in a state, as in `Bold not checked`"},
	PostWindow:    {"window", needsNothing, "a window whose title or class contains this exists"},
	PostNoWindow:  {"no_window", needsNothing, "no window whose title or class contains this exists"},
	PostProcess:   {"process", needsNothing, "a process whose command line contains this is running"},
	PostNoProcess: {"no_process", needsNothing, "no process whose command line contains this is running"},
	PostFile:      {"file", needsNothing, "this path exists"},
	PostScreen:    {"screen", needsModel, "the model judges this description true"},
}

// String is the kind's key.
func (k PostKind) String() string { return postTable[k].word }

// CDP reports whether the kind looks into a browser's page.
func (k PostKind) CDP() bool { return postTable[k].needs == needsCDP }

// ATSPI reports whether the kind needs the accessibility bus.
func (k PostKind) ATSPI() bool { return postTable[k].needs == needsATSPI }

// Model reports whether the kind needs a model.
func (k PostKind) Model() bool { return postTable[k].needs == needsModel }

func postWords() []string {
	var words []string
	for _, row := range postTable {
		words = append(words, row.word)
	}
	return words
}

// writtenPost is a postcondition as its keys are read.
type writtenPost struct {
	texts   [postCount]string
	state   StateCheck
	timeout Value[time.Duration]
}

func postType() yamldoc.Type[Post] {
	text := filledText()
	var fields []yamldoc.Field[writtenPost]
	for kind, row := range postTable {
		if PostKind(kind) == PostState {
			fields = append(fields, yamldoc.Optional(row.word, row.doc, stateType(), func(w *writtenPost) *StateCheck { return &w.state }))
			continue
		}
		fields = append(fields, yamldoc.Optional(row.word, row.doc, text, func(w *writtenPost) *string { return &w.texts[kind] }))
	}
	fields = append(fields, yamldoc.Optional("timeout_s", "seconds until it fails, 10 when left out; 0 checks once", valueOf(yamldoc.Seconds(false)), func(w *writtenPost) *Value[time.Duration] { return &w.timeout }))
	t := yamldoc.Narrow(yamldoc.Object("a postcondition", fields...), onePost)
	return yamldoc.NewType(t.Name(), t.Schema, func(r *yamldoc.Reader, n *yamldoc.Node, dst *Post) bool {
		var w writtenPost
		ok := t.Read(r, n, &w)
		if n.Kind != yamldoc.KindMap {
			if n.Kind == yamldoc.KindNull && !n.Broken {
				r.Report("post-form", n.Span.FirstLine(), "the postcondition says nothing")
			}
			return false
		}
		kinds, vague := kindsOf(n, postWords(), "timeout_s")
		switch {
		case len(kinds) == 0:
			if !vague && !n.Broken {
				r.Report("post-form", n.Span.FirstLine(), "the postcondition has none of "+strings.Join(postWords(), ", "))
			}
			return false
		case len(kinds) > 1:
			return twoOf(r, "post-form", "a postcondition is of one kind, and this one has", kinds)
		}
		dst.Kind = PostKind(slices.Index(postWords(), kinds[0].Text))
		dst.At, dst.State, dst.Timeout = kinds[0].Span, w.state, DefaultPostTimeout
		dst.Text = w.texts[dst.Kind]
		switch {
		case dst.Kind == PostScreen:
			dst.Timeout = 0
			if w.timeout.Set {
				conflict(r, n, "timeout_s", "screen", "a description of the screen is judged once, so it has no `timeout_s`").Fix.Text = "remove `timeout_s`"
				ok = false
			}
		case w.timeout.Set:
			dst.Timeout = w.timeout.Is
		}
		if dst.Kind == PostState {
			dst.Text = w.state.String()
		}
		return ok
	})
}

// kindsOf gives the keys of a map of which one is to stand; vague is that an unknown key may be meant as one of them.
func kindsOf(n *yamldoc.Node, kinds []string, others ...string) (keys []*yamldoc.Node, vague bool) {
	for _, p := range n.Pairs {
		switch {
		case slices.Contains(kinds, p.Key):
			keys = append(keys, p.KeyNode)
		case !slices.Contains(others, p.Key):
			vague = true
		}
	}
	return keys, vague
}

// twoOf reports the second of two keys of which one may stand.
func twoOf(r *yamldoc.Reader, code diag.Code, what string, keys []*yamldoc.Node) bool {
	first, second := keys[0], keys[1]
	d := r.Report(code, second.Span, fmt.Sprintf("%s `%s` and `%s`", what, first.Text, second.Text))
	d.Related = []diag.Related{{Span: first.Span, Message: "`" + first.Text + "` stands here"}}
	return false
}

// keyOf gives the node of a key of a map, nil when it has none.
func keyOf(n *yamldoc.Node, key string) *yamldoc.Node {
	if n == nil {
		return nil
	}
	for i := range n.Pairs {
		if n.Pairs[i].Key == key {
			return n.Pairs[i].KeyNode
		}
	}
	return nil
}

// conflict reports a key that cannot stand beside another one of the same map.
func conflict(r *yamldoc.Reader, n *yamldoc.Node, key, other, message string) *diag.Diagnostic {
	d := r.Report("key-conflict", keyOf(n, key).Span, message)
	if k := keyOf(n, other); k != nil {
		d.Related = []diag.Related{{Span: k.Span, Message: "`" + other + "` stands here"}}
	}
	return d
}
