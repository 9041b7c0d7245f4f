//go:build js && wasm

// Command player is the learner's module: it plays one compiled lab for a page.
//
// Texts cross in a buffer of the module's memory, by exported functions alone:
// that takes a tenth of the time of calls through syscall/js, whose code is not
// needed then either. bridge.mjs is the other side.
package main

import (
	"strings"
	"unsafe"

	"asz/shared/lab"
	"asz/shared/sim"
)

// Exported functions have no receiver, so their state stands here. JavaScript
// calls one at a time.
var (
	player *sim.Player
	buffer []byte // what crosses, in either direction
)

func main() { select {} } // the exported functions are called while it waits

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

func received(n int32) string { return string(buffer[:n]) }

// answer leaves a text in the buffer and returns its length.
func answer(text []byte) int32 {
	buffer = text[:len(text):cap(text)]
	return int32(len(text))
}

// boot begins the compiled lab of n bytes. The answer is what a page needs to
// know; a negative length is that of a message about what is wrong.
//
//go:wasmexport boot
func boot(n int32) int32 {
	l, err := lab.Decode(buffer[:n])
	if err == nil {
		var engine *sim.Engine
		if engine, err = sim.New(l); err == nil {
			player = sim.NewPlayer(engine)
			return answer(player.AppendBoot(nil))
		}
	}
	return -answer([]byte(err.Error()))
}

// act does what the buffer says, kind NUL terminal NUL text, and answers with
// the outcome.
//
//go:wasmexport act
func act(n int32) int32 {
	kind, rest, _ := strings.Cut(received(n), "\x00")
	terminal, text, _ := strings.Cut(rest, "\x00")
	id, o := player.Act(kind, terminal, text)
	return answer(player.AppendOutcome(buffer[:0], id, o))
}

// mark keeps the current place and returns its number.
//
//go:wasmexport mark
func mark() int32 { return int32(player.Mark()) }

// restore goes back to a mark and answers with what the terminal named in the
// buffer shows there (none: the lab's first). It returns -1 when there is no
// such mark.
//
//go:wasmexport restore
func restore(id, n int32) int32 {
	if !player.Restore(int(id)) {
		return -1
	}
	terminal := received(n)
	if terminal == "" {
		terminal = player.Engine().Lab().Terminals[0].ID
	}
	return answer(player.AppendOutcome(nil, 0, player.Here(terminal)))
}

// explain answers why scenarios did not take the line of an act.
//
//go:wasmexport explain
func explain(id int32) int32 { return answer(sim.AppendMisses(nil, player.Explain(int(id)))) }

// runs answers the records of state.ci.runs, the oldest first.
//
//go:wasmexport runs
func runs() int32 { return answer(player.AppendRuns(nil)) }
