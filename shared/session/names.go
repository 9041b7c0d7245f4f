package session

import (
	"regexp"
	"slices"
	"strings"

	"asz/shared/diag"
	"asz/shared/yamldoc"
)

// checkNames holds the names in expectations to the scenario.
func checkNames(r *yamldoc.Reader, e *Expectation, s *Scenario) {
	checkpoints := append(s.Checkpoints(), Final)
	streams, runs := append(s.Children(), Main), s.Workflows()
	agent := regexp.MustCompile(`^a[0-9a-f]{16}$`)
	stream := func(at diag.Span, name string) {
		if !agent.MatchString(name) {
			known(r, at, "stream", name, streams)
		}
	}
	for i := range e.Checkpoints {
		c := &e.Checkpoints[i]
		known(r, c.At, "checkpoint", c.Name, checkpoints)
		for j := range c.TalksOn {
			t := &c.TalksOn[j]
			stream(r.NodeOf(&t.Name).Span, t.Name)
		}
		for j := range c.Lose {
			l := &c.Lose[j]
			if l.Stream != "" {
				stream(r.NodeOf(&l.Stream).Span, l.Stream)
			}
			if l.Run != "" && !slices.ContainsFunc(runs, func(w string) bool { return RunID(w) == l.Run }) {
				known(r, r.NodeOf(&l.Run).Span, "workflow", l.Run, runs)
			}
		}
	}
}

func known(r *yamldoc.Reader, at diag.Span, what, name string, names []string) {
	if slices.Contains(names, name) {
		return
	}
	d := r.Report("expect-name", at, "the scenario has no "+what+" "+diag.Quoted(name))
	switch near := diag.Nearest(name, names); {
	case near != "":
		d.Fix.Text = "write " + diag.Quoted(near)
	case len(names) > 0 && len(names) <= 8:
		d.Fix.Text = "write one of " + strings.Join(names, ", ") + ", or remove it"
	}
}
