//go:build js && wasm

package main

import (
	"io/fs"
	"math"
	"slices"
	"strings"
	"unsafe"

	"asz/shared/diag"
	"asz/shared/play"
	"asz/shared/validate"
)

// What bridge.mjs calls. Texts cross in a buffer of the module's memory, as in the
// player's module.

// Exported functions have no receiver, so their state stands here. JavaScript
// calls one at a time.
var (
	buffer []byte            // what crosses, in either direction
	files  map[string][]byte // of the folder of labs
	shapes int               // how often the folder changed otherwise than in what small files hold
	recent loading
	texts  validate.Texts
	checks map[int32]*check
	begun  int32 // how many checks
)

// large is the size from which on a file's size may matter to those that do not
// read it.
const large = 1 << 20

// check is a check that goes on.
type check struct {
	*validate.Check
	lab string // its folder
}

// reserve makes room for n bytes and returns where they are; with n the length
// of an answer, it is where the answer is.
//
//go:wasmexport reserve
func reserve(n int32) unsafe.Pointer {
	if int(n) > cap(buffer) {
		buffer = make([]byte, n)
	}
	return unsafe.Pointer(unsafe.SliceData(buffer))
}

// answer leaves a text in the buffer and returns its length.
func answer(text []byte) int32 {
	buffer = text[:len(text):cap(text)]
	return int32(len(text))
}

// put sets the file whose path is the first n bytes of the buffer to the size bytes
// behind it; size -1 removes it. It returns -1 when that is no path of a file in
// a folder.
//
//go:wasmexport put
func put(n, size int32) int32 {
	path := string(buffer[:n])
	switch {
	case !fs.ValidPath(path) || path == ".":
		return -1
	case size < 0:
		delete(files, path)
		shapes++
	default:
		if files == nil {
			files = map[string][]byte{}
		}
		before, known := files[path]
		if !known || max(len(before), int(size)) >= large {
			shapes++
		}
		files[path] = slices.Clone(buffer[n : n+size])
	}
	return 0
}

// begin begins the check of the lab that the buffer names: folder NUL mode NUL
// words. It returns the check's number; a negative one is the length of a message
// about what is wrong. What changes afterwards is not seen by the check.
//
//go:wasmexport begin
func begin(n int32) int32 {
	lab, rest, _ := strings.Cut(string(buffer[:n]), "\x00")
	mode, words, _ := strings.Cut(rest, "\x00")
	o := validate.Options{Solution: strings.Contains(words, "solution"), Coverage: strings.Contains(words, "coverage")}
	switch mode {
	case "off":
		o.Explore = validate.Off
	case "auto":
		o.Explore = validate.Auto
	case "full":
		o.Explore = validate.Full
	default:
		return -answer([]byte("explore takes off, auto or full"))
	}
	folder, loaded, err := load(lab)
	if err != nil {
		return -answer([]byte(err.Error()))
	}
	begun++
	if checks == nil {
		checks = map[int32]*check{}
	}
	o.Texts = &texts
	checks[begun] = &check{validate.NewOf(loaded, folder, lab, o), lab}
	return begun
}

// step goes on with a check for about n transitions. It returns how many states
// were looked at so far, or -1 when the check is complete.
//
//go:wasmexport step
func step(id, n int32) int32 {
	c := checks[id]
	if !c.Step(int(n)) {
		return -1
	}
	return int32(min(c.Progress().States, math.MaxInt32))
}

// result answers what a check found.
//
//go:wasmexport result
func result(id int32) int32 {
	c := checks[id]
	return answer(report(c.lab, c.Result()))
}

// drop forgets a check.
//
//go:wasmexport drop
func drop(id int32) { delete(checks, id) }

// why answers what came near to taking a line that nothing takes, as the array that
// `asz play --explain` has. The buffer holds the question: the lab's folder, the
// terminal ("" = where the script ends), the line and the script, with NUL between
// them. A negative number is the length of a message about what is wrong.
//
//go:wasmexport why
func why(n int32) int32 {
	parts := strings.SplitN(string(buffer[:n]), "\x00", 4)
	reasons, err := explainLine(parts[0], parts[1], parts[2], parts[3])
	if err != nil {
		return -answer([]byte(err.Error()))
	}
	return answer(play.AppendReasons(nil, reasons))
}

// explain answers what the code that the buffer names means, nothing when there is
// no such code.
//
//go:wasmexport explain
func explain(n int32) int32 {
	rule, ok := diag.RuleOf(diag.Code(buffer[:n]))
	if !ok {
		return 0
	}
	return answer(explanation(rule))
}
