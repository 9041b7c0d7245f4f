package lab

import "strings"

// MaxDepth bounds the parts of a path into the state or the files. Trees are
// walked by recursion, of which a wasm instance bears a few thousand levels.
const MaxDepth = 100

// FlagName returns the name of a flag matcher or template as it is compared:
// without leading dashes.
func FlagName(name string) string { return strings.TrimLeft(name, "-") }

// IsFlag reports whether a word is a flag: a dash and something after it.
func IsFlag(word string) bool { return len(word) > 1 && word[0] == '-' }

// CleanFile returns the segments of a file path relative to the lab's root;
// `/a`, `a/` and `./a` mean `a`. It is not ok when the path leaves the root.
func CleanFile(path string) (parts []string, ok bool) {
	for part := range strings.SplitSeq(path, "/") {
		switch part {
		case "", ".":
		case "..":
			if len(parts) == 0 {
				return nil, false
			}
			parts = parts[:len(parts)-1]
		default:
			parts = append(parts, part)
		}
	}
	return parts, true
}

// StatePath returns the segments of a dot-path; it is not ok when one is empty.
func StatePath(path string) (segments []string, ok bool) {
	segments = strings.Split(path, ".")
	for _, s := range segments {
		if s == "" {
			return segments, false
		}
	}
	return segments, true
}

// Lookup returns the value at segments below v; list elements go by their
// index. A path that leads nowhere gives null.
func (v Value) Lookup(segments []string) Value {
	for _, s := range segments {
		switch v.Kind() {
		case KindMap:
			v, _ = v.Get(s)
		case KindList:
			i, ok := listIndex(s)
			if !ok {
				return Value{}
			}
			v, _ = v.List().At(i)
		default:
			return Value{}
		}
	}
	return v
}

// A PathError says why nothing can be set at a path.
type PathError struct {
	At     string // the part of the path that is in the way
	Reason string
}

func (e *PathError) Error() string { return "`" + e.At + "` " + e.Reason }

// Put returns v with value at segments. Missing maps on the way are made; a
// scalar on the way, or an index beyond a list's end, is a *PathError.
func (v Value) Put(segments []string, value Value) (Value, error) {
	return v.put(segments, 0, value)
}

func (v Value) put(segments []string, depth int, value Value) (Value, error) {
	if depth == len(segments) {
		return value, nil
	}
	name := segments[depth]
	fail := func(reason string) (Value, error) {
		at := strings.Join(segments[:depth], ".")
		return Value{}, &PathError{at, reason}
	}
	switch v.Kind() {
	case KindNull, KindMap:
		old, _ := v.Get(name)
		sub, err := old.put(segments, depth+1, value)
		if err != nil {
			return Value{}, err
		}
		return v.With(name, sub), nil
	case KindList:
		i, ok := listIndex(name)
		if !ok {
			return fail("is a list, which has no `" + name + "`")
		}
		old, ok := v.List().At(i)
		if !ok {
			return fail("is a list that has no element " + name)
		}
		sub, err := old.put(segments, depth+1, value)
		if err != nil {
			return Value{}, err
		}
		return v.WithAt(i, sub), nil
	}
	return fail("is " + v.Kind().String() + ", so nothing can be set below it")
}

// String names the kind for a message.
func (k Kind) String() string {
	return [...]string{"null", "true or false", "a number", "text", "a list", "a map"}[k]
}

// listIndex reads a list index: digits without a superfluous zero in front.
func listIndex(s string) (int, bool) {
	n, ok := Atoi(s)
	return n, ok && n >= 0 && (len(s) == 1 || s[0] != '0' && s[0] != '-')
}
