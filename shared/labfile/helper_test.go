package labfile_test

import (
	"testing/fstest"

	"asz/shared/labfile"
)

const (
	goodLabspace  = "title: T\nsimulator: simulator.yaml\n"
	goodSimulator = "version: \"2.0\"\nscenarios: []\n"
)

func load(labspace, simulator string) *labfile.Loaded {
	return labfile.Load(fstest.MapFS{
		"t/labspace.yaml":  {Data: []byte(labspace)},
		"t/simulator.yaml": {Data: []byte(simulator)},
		"t/folder/x":       {Data: []byte("x")},
		"t/a.md":           {Data: []byte("# A\n")},
		"t/b.md":           {Data: []byte("# B\n")},
	}, "t")
}
