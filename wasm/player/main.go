//go:build js && wasm

// Command player is the learner's module: it plays one compiled lab for a page.
package main

import (
	"syscall/js"

	"asz/shared/lab"
	"asz/shared/sim"
)

func main() {
	var player *sim.Player
	var out []byte // reused: one outcome is alive at a time
	var problem string

	// method makes a function of JavaScript. What it returns as an error text is
	// thrown there by the small wrapper of the page, since Go cannot throw.
	api := js.Global().Get("Object").New()
	method := func(name string, f func(args []js.Value) any) {
		api.Set(name, js.FuncOf(func(_ js.Value, args []js.Value) any { return f(args) }))
	}
	method("boot", func(args []js.Value) any {
		data := make([]byte, args[0].Get("length").Int())
		js.CopyBytesToGo(data, args[0])
		l, err := lab.Decode(data)
		if err == nil {
			var engine *sim.Engine
			if engine, err = sim.New(l); err == nil {
				player = sim.NewPlayer(engine)
				return string(player.AppendBoot(nil))
			}
		}
		problem = err.Error()
		return js.Global().Get("Error").New(problem)
	})
	method("act", func(args []js.Value) any {
		id, o := player.Act(args[0].String(), args[1].String(), args[2].String())
		out = player.AppendOutcome(out[:0], id, o)
		return string(out)
	})
	method("mark", func([]js.Value) any { return player.Mark() })
	method("restore", func(args []js.Value) any {
		if !player.Restore(args[0].Int()) {
			return js.Null()
		}
		o := player.Here(args[1].String())
		return string(player.AppendOutcome(nil, 0, o))
	})
	method("explain", func(args []js.Value) any {
		return string(sim.AppendMisses(nil, player.Explain(args[0].Int())))
	})
	method("runs", func([]js.Value) any { return string(player.AppendRuns(nil)) })
	js.Global().Set("asz", api)
	select {}
}
