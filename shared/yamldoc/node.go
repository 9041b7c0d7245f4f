// Package yamldoc reads one YAML document into nodes that know where they came from, and reads nodes
// into Go values strictly. It goes on after a mistake, so one run reports every mistake in a file.
//
// The text is cut into lexemes here, goccy/go-yaml's parser finds their structure, and the nodes are made
// of its tree; where the structure is plain to see they are made without it, which takes half the time.
// Texts and positions are those of the lexemes, so they are exact whatever that parser does;
// what it cannot bear (depth, very long maps) is bounded before it runs. The accepted language is YAML 1.2 with the core schema, less what no author file needs: keys that
// are not simple text, the long form of keys (`? key`), %TAG directives, more than one document.
package yamldoc

import "asz/shared/diag"

// Kind is the type of a value after the YAML 1.2 core schema.
type Kind uint8

const (
	KindNull Kind = iota
	KindBool
	KindNumber
	KindText
	KindMap
	KindList
)

// Style is the way a value is written.
type Style uint8

const (
	Plain Style = iota
	Single
	Double
	Literal
	Folded
	Block
	Flow
)

// Node is one value of the document. Nodes are shared where aliases repeat them; readers do not change them.
type Node struct {
	Kind   Kind
	Style  Style
	Bool   bool
	Broken bool      // a syntax finding lies inside: what is missing below it is not to be reported again
	alias  bool      // the node stands for a value written elsewhere
	Text   string    // decoded text of a scalar; of Null, Bool and Number the source text as written
	Tag    string    // a local tag as written ("!docker"), "" otherwise
	Span   diag.Span // of the value in its file; of an alias: where the alias stands
	Pairs  []Pair    // Map, in author order, without duplicates (the first one is kept)
	Items  []*Node   // List

	indent int32 // block scalars: columns of indentation cut from each line
	lead   int32 // bytes between the first tag or anchor of the value and the value itself
	height int32 // levels of maps and lists below, through aliases
	weight int32 // nodes in this value, counted with what its aliases repeat
}

// Pair is one entry of a map.
type Pair struct {
	Key     string // decoded text of the key; of `path += value` below a `state:` key it is `path +=`
	KeyNode *Node
	Value   *Node
}

// Get gives the value of a key, nil when the node is no map or has no such key.
func (n *Node) Get(key string) *Node {
	if n == nil {
		return nil
	}
	for i := range n.Pairs {
		if n.Pairs[i].Key == key {
			return n.Pairs[i].Value
		}
	}
	return nil
}

// SpanIn gives the place in the file of bytes [start,end) of Text: escapes, folded lines and block
// indentation are mapped back. For an alias and for positions outside Text it is the whole value.
func (n *Node) SpanIn(start, end int) diag.Span {
	if n.alias || n.Kind >= KindMap || start < 0 || end < start || end > len(n.Text) {
		return n.Span
	}
	d := decoder{src: n.Span.Source.Text, track: true}
	d.scalar(n.Style, n.Span.Start, n.Span.End(), int(n.indent))
	from := d.source(start, false)
	to := from
	if end > start {
		to = d.source(end-1, true)
	}
	return diag.Span{Source: n.Span.Source, Start: from, Len: max(0, to-from)}
}

// Document is a file that was read. Root is nil when nothing of it is usable; an empty file has a Null root.
type Document struct {
	Source *diag.Source
	Root   *Node
}

// Limits bound what a file may cost; a zero field means its default.
type Limits struct {
	Bytes      int // size of the file, default 8 MiB
	Depth      int // nesting of maps and lists, default 100
	Nodes      int // values and keys in the file, default 1<<18: what is bounded is memory, about 1 KB each while reading
	AliasNodes int // values that aliases and merge keys repeat in all, default 1<<17
}

// Options say how to read a file.
type Options struct {
	Limits     Limits
	AppendKeys bool // below a key `state:`, a line `path += value` is an entry with the key `path +=`
}

func (l Limits) withDefaults() Limits {
	for _, f := range []struct {
		at  *int
		def int
	}{{&l.Bytes, 8 << 20}, {&l.Depth, 100}, {&l.Nodes, 1 << 18}, {&l.AliasNodes, 1 << 17}} {
		if *f.at == 0 {
			*f.at = f.def
		}
	}
	return l
}
