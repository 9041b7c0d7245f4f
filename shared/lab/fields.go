package lab

func (c *codec) lab(l *Lab) {
	c.text(&l.ID)
	c.text(&l.Title)
	c.text(&l.Version)
	list(c, &l.Terminals, func(c *codec, t *Terminal) {
		c.text(&t.ID)
		c.text(&t.Title)
	})
	list(c, &l.Files, func(c *codec, f *File) {
		c.text(&f.Path)
		c.text(&f.Text)
	})
	list(c, &l.Sections, func(c *codec, s *Section) {
		c.text(&s.ID)
		c.text(&s.Title)
		list(c, &s.Steps, func(c *codec, s *Step) {
			c.text(&s.ID)
			c.text(&s.Title)
		})
	})
	c.simulator(&l.Simulator)
}

func (c *codec) simulator(s *Simulator) {
	c.value(&s.State)
	c.bool(&s.Settings.Streaming)
	c.int(&s.Settings.StreamDelay)
	c.int(&s.Settings.AgentThink)
	list(c, &s.Settings.Pace, func(c *codec, p *Pace) {
		c.text(&p.Name)
		c.int(&p.MS)
	})
	option(c, &s.Defaults.Unmatched, (*codec).fallback)
	option(c, &s.Defaults.UnmatchedAgent, (*codec).fallback)
	c.int(&s.Defaults.Exit)
	list(c, &s.Controls, func(c *codec, t *Control) {
		c.text(&t.ID)
		c.text(&t.Label)
		c.text(&t.Description)
		c.text(&t.State)
		c.value(&t.On)
		c.value(&t.Off)
	})
	list(c, &s.Workflows, func(c *codec, w *Workflow) {
		c.text(&w.ID)
		c.text(&w.Name)
		c.text(&w.On)
		list(c, &w.Steps, func(c *codec, s *WorkflowStep) {
			c.text(&s.ID)
			c.text(&s.Name)
			list(c, &s.Logs, (*codec).text)
			c.text(&s.Requires)
			list(c, &s.Failure.Logs, (*codec).text)
			option(c, &s.Failure.Error, (*codec).text)
		})
	})
	list(c, &s.Scenarios, func(c *codec, s *Scenario) {
		c.text(&s.ID)
		c.text(&s.Completes)
		c.when(&s.When)
		c.effects(&s.Then)
	})
}

func (c *codec) fallback(f *Fallback) {
	list(c, &f.Output, (*codec).line)
	list(c, &f.Stderr, (*codec).line)
	option(c, &f.Exit, (*codec).int)
}

func (c *codec) line(l *Line) {
	option(c, &l.Text, (*codec).text)
	option(c, &l.Delay, func(c *codec, d *Delay) {
		c.text(&d.Pace)
		c.int(&d.MS)
	})
}

func (c *codec) when(w *When) {
	list(c, &w.Command, (*codec).text)
	list(c, &w.Args, func(c *codec, a *Arg) {
		c.text(&a.Flag)
		c.int(&a.Pos)
		c.byte((*uint8)(&a.Matcher.Kind))
		list(c, &a.Matcher.Set, (*codec).text)
		c.check(a.Pos >= 0 && a.Matcher.Kind <= MatchOneOf && (a.Matcher.Kind != MatchEquals || len(a.Matcher.Set) > 0))
	})
	c.bool(&w.Agent)
	option(c, &w.Prompt, (*codec).text)
	list(c, &w.PromptContains, (*codec).text)
	c.text(&w.Terminal)
	list(c, &w.State, func(c *codec, g *Guard) {
		c.text(&g.Path)
		c.value(&g.Want)
	})
}

func (c *codec) effects(e *Effects) {
	list(c, &e.Files, func(c *codec, f *FileOp) {
		c.byte((*uint8)(&f.Verb))
		c.check(f.Verb <= FileCopy)
		c.text(&f.Path)
		c.text(&f.Text)
		c.text(&f.Find)
	})
	list(c, &e.State, func(c *codec, d *Delta) {
		c.text(&d.Path)
		c.bool(&d.Append)
		c.value(&d.Value)
	})
	list(c, &e.Output, (*codec).line)
	list(c, &e.Stderr, (*codec).line)
	option(c, &e.Exit, (*codec).int)
	list(c, &e.MCP, func(c *codec, m *MCPCall) {
		c.text(&m.Tool)
		c.value(&m.Arguments)
		c.text(&m.Result)
	})
	option(c, &e.Session, func(c *codec, s *Session) {
		c.text(&s.Prompt)
		list(c, &s.Intro, (*codec).text)
		list(c, &s.Outro, (*codec).text)
	})
	option(c, &e.Input, func(c *codec, i *Input) {
		list(c, &i.Steps, func(c *codec, s *InputStep) {
			c.text(&s.Key)
			c.text(&s.Prompt)
			c.bool(&s.Mask)
		})
		c.check(len(i.Steps) > 0)
		c.effects(&i.Then)
	})
	option(c, &e.CI, func(c *codec, t *CITrigger) {
		c.text(&t.Workflow)
		option(c, &t.Commit, (*codec).text)
		c.text(&t.Conclusion)
		c.text(&t.FailedStep)
		list(c, &t.Steps, func(c *codec, s *StepOverride) {
			c.text(&s.ID)
			option(c, &s.Name, (*codec).text)
			list(c, &s.Logs, (*codec).text)
		})
		option(c, &t.Error, (*codec).text)
	})
}
