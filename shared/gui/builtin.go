package gui

// condition is what a scenario must have for a built-in tool to be given.
type condition uint8

const (
	always condition = iota
	withCDP
	withATSPI
	withClickTargets
	withWaitConditions
	withProvides
)

// builtinTable are the tools that every model has, or has where the scenario gives what they need.
var builtinTable = []struct {
	name  string
	given condition
}{
	{"key", always}, {"type_provided", withProvides}, {"click_element", withATSPI}, {"click_target", withClickTargets},
	{"click_grounded", always}, {"wait", always}, {"wait_while", withWaitConditions}, {"observe", always},
	{"list_elements", always}, {"list_windows", always}, {"activate_window", always}, {"read_logs", always},
	{"cdp_click", withCDP}, {"cdp_click_described", withCDP}, {"cdp_fill_provided", withCDP}, {"cdp_wait", withCDP},
	{"cdp_navigate", withCDP}, {"cdp_attach", withCDP}, {"finish", always}, {"give_up", always},
}

// BuiltinTools are the names of the tools that are built in, whether a scenario gives them or not.
func BuiltinTools() []string {
	var names []string
	for _, row := range builtinTable {
		names = append(names, row.name)
	}
	return names
}

// Builtins are the names of the built-in tools that the scenario gives.
func (s *Scenario) Builtins() []string {
	var names []string
	for _, row := range builtinTable {
		if row.given.met(s) {
			names = append(names, row.name)
		}
	}
	return names
}

func (c condition) met(s *Scenario) bool {
	switch c {
	case withCDP:
		return s.CDP
	case withATSPI:
		return s.ATSPI
	case withClickTargets:
		return len(s.ClickTargets) > 0
	case withWaitConditions:
		return len(s.WaitConditions) > 0
	case withProvides:
		return len(s.Provides) > 0
	}
	return true
}

// missing says what a scenario lacks for a built-in tool.
func (c condition) missing() string {
	return [...]string{"", "`cdp: true`", "`atspi`, which is switched off", "`click_targets`", "`wait_conditions`", "`provides`"}[c]
}
