package wasm_test

import (
	"fmt"
	"strings"
)

// huge is a lab with more states than anybody waits for, and with one finding that needs no search.
func huge() map[string]string {
	var state, all, scenarios strings.Builder
	for i := range 40 {
		fmt.Fprintf(&state, "s%d: false, ", i)
		fmt.Fprintf(&all, "s%d: true, ", i)
		for _, value := range []string{"true", "false"} {
			fmt.Fprintf(&scenarios, "  - { id: %s-%d, when: { command: set s%d %s }, then: { state: { s%d: %s } } }\n", value, i, i, value, i, value)
		}
	}
	return map[string]string{
		"labspace.yaml":  "title: Huge\nsimulator: simulator.yaml\nsections: [{ title: A, contentPath: a.md }]\n",
		"a.md":           "# A\n\n```bash\nnonsense\n```\n",
		"simulator.yaml": "version: \"2.0\"\nstate: { " + state.String() + "}\nscenarios:\n" + scenarios.String() + "  - { id: all, when: { command: all, state: { " + all.String() + "} }, then: {} }\n",
	}
}
