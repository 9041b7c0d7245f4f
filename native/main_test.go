package main

import (
	"os"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"asz/native/cli"
)

func TestMain(m *testing.M) {
	asz := func() { os.Exit(cli.Main(os.Args[1:], cli.System())) }
	testscript.Main(m, map[string]func(){
		"asz": asz,
		"exe": asz, // /proc/self/exe: asz starts itself as guardian

		"told": told, "keyboard": keyboard,
	})
}

// TestScripts runs the binary as its users do.
func TestScripts(t *testing.T) {
	testscript.Run(t, testscript.Params{Dir: "testdata"})
}
