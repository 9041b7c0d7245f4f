package worldtest

import (
	"context"
	"slices"
	"time"

	"asz/native/guirun"
)

// fakeProcesses are the processes of a Fake.
type fakeProcesses struct{ *Fake }

func (p fakeProcesses) List() ([]guirun.Process, error) {
	p.Asked["List"]++
	if p.ListFault != nil {
		return nil, p.ListFault
	}
	var out []guirun.Process
	for _, one := range p.processes {
		out = append(out, one.Process)
	}
	return out, nil
}

func (p fakeProcesses) Start(c guirun.Command) (int, <-chan guirun.Result, error) {
	p.Asked["Start"]++
	p.Asked["Start "+c.Line]++
	for _, entry := range c.Env {
		p.Asked["Env "+entry]++
	}
	if p.StartFault != nil {
		return 0, nil, p.StartFault
	}
	one := p.begin(c.Line, true)
	return one.PID, one.done, nil
}

func (p fakeProcesses) Run(ctx context.Context, c guirun.Command, limit time.Duration) (guirun.Result, error) {
	p.Asked["Run"]++
	one := p.begin(c.Line, false)
	within, stop := p.clock.Limit(ctx, limit, nil)
	defer stop()
	for !one.gone {
		if err := p.clock.Wait(within, time.Second, nil); err != nil {
			p.end(one, 137)
			if ctx.Err() == nil {
				err = guirun.Faultf(guirun.ClassTimeout, "the command did not end within %v; it and what it started were killed", limit)
			}
			return one.result, err
		}
	}
	res := one.result
	if n := len(res.Output); c.Limit > 0 && n > c.Limit {
		res.Cut = int64(n - c.Limit)
		res.Output = res.Output[:c.Limit/2] + res.Output[n-c.Limit/2:]
	}
	return res, nil
}

func (p fakeProcesses) Stop(ctx context.Context, which []guirun.Process, grace time.Duration) error {
	p.Asked["Stop"]++
	if p.StopFault != nil {
		return p.StopFault
	}
	var left []*fakeProcess
	for _, one := range slices.Clone(p.processes) {
		if !slices.Contains(which, one.Process) {
			continue
		}
		if one.program.Stubborn {
			left = append(left, one)
			continue
		}
		p.end(one, 143)
	}
	if len(left) > 0 {
		if err := p.clock.Wait(ctx, grace, nil); err != nil {
			return err
		}
	}
	for _, one := range left {
		p.end(one, 137)
	}
	return nil
}
