package x11

import (
	"os"
	"testing"
)

// TestMain lets the test binary be what tests start: a guardian, a runtime that is killed, or a program of the
// interpreter's suite.
func TestMain(m *testing.M) {
	if len(os.Args) > 1 {
		switch os.Args[1] {
		case GuardVerb:
			os.Exit(Guard())
		case "victim":
			os.Exit(victim(os.Args[2:]))
		case worldClientVerb:
			os.Exit(worldClient(os.Args[2]))
		case "host":
			os.Exit(host(os.Args[2]))
		}
	}
	os.Exit(m.Run())
}
