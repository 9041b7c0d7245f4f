package guirun

// ProcessOptions say where commands run and which processes a run sees.
type ProcessOptions struct {
	Env     []string // of commands, NAME=value; nil: the environment of this process
	Only    bool     // only descendants of this process are listed
	Hidden  []int    // processes that serve the run and are never listed: X, buses, window manager, guardian
	Secrets *Secrets // taken out of output before it is cut; nil: none
	Errors  string   // the file that output of launch and spawn is appended to; "": .xsession-errors in HOME of Env
}
