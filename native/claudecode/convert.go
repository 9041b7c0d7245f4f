package claudecode

import "asz/native/store"

// object goes through a line, collects its fields and adds a part for each block of its content. It is why the line is no
// JSON object, "" when it is one.
func (r *Reader) object(body string, rec *store.Record) string {
	if body == "" {
		return emptyLine
	}
	c := &r.scan
	c.start(body)
	if c.peek() != '{' {
		c.skip()
		if c.bad == "" && c.i == len(body) {
			return "the line is JSON, but no object"
		}
		return notJSON
	}
	c.open()
	f := &r.f
	for first := true; c.member(&first); {
		switch c.name {
		case "type":
			f.typ = c.value()
		case "uuid":
			f.uuid = c.value()
		case "parentUuid":
			f.parent = c.value()
		case "promptId":
			f.prompt = c.value()
		case "logicalParentUuid":
			f.logical = c.value()
		case "timestamp":
			f.time = c.value()
		case "subtype":
			f.subtype = c.value()
		case "aiTitle":
			f.title = c.value()
		case "agentId":
			f.agent = c.value()
		case "description":
			f.description = c.value()
		case "parentAgentId":
			f.starter = c.value()
		case "workflowName":
			f.workflow = c.value()
		case "isMeta":
			f.meta = c.value().raw == "true"
		case "isCompactSummary":
			f.summary = c.value().raw == "true"
		case "isSidechain":
			f.sidechain = c.value().raw == "true"
		case "origin":
			f.origin = r.originKind()
		case "message":
			r.message(rec)
		case "toolUseResult":
			r.structured()
		case "attachment":
			r.attachment()
		default:
			c.skip()
		}
	}
	if c.bad == "" && c.i < len(body) {
		if c.peek() == '{' {
			return "the line holds more than one JSON object"
		}
		return "the line goes on after its JSON object"
	}
	return c.bad
}

// originKind is the kind of an origin.
func (r *Reader) originKind() (kind value) {
	c := &r.scan
	if c.peek() != '{' {
		c.skip()
		return value{}
	}
	c.open()
	for first := true; c.member(&first); {
		if c.name == "kind" {
			kind = c.value()
		} else {
			c.skip()
		}
	}
	return kind
}

func (r *Reader) message(rec *store.Record) {
	c, f := &r.scan, &r.f
	rec.Parts, rec.Dropped = rec.Parts[:0], rec.Dropped[:0]
	f.content, f.call, f.stop, f.model, f.usage = value{}, value{}, value{}, value{}, value{}
	f.said, f.results, f.crowded = value{}, 0, false
	r.usage = store.Usage{}
	if c.peek() != '{' || r.src.Kind != store.Transcript {
		f.message = c.value()
		return
	}
	start, spaces := c.i, c.spaces
	c.open()
	for first := true; c.member(&first); {
		switch c.name {
		case "id":
			f.call = c.value()
		case "stop_reason":
			f.stop = c.value()
		case "model":
			f.model = c.value()
		case "usage":
			r.tokens()
		case "content":
			r.content(rec)
		default:
			c.skip()
		}
	}
	f.message = c.since(start, spaces)
}

func (r *Reader) tokens() {
	c := &r.scan
	r.usage = store.Usage{}
	r.f.usage = value{}
	if c.peek() != '{' {
		if v := c.value(); v.given() {
			r.odd.count(oddField, "usage is no object")
		}
		return
	}
	start, spaces := c.i, c.spaces
	c.open()
	for first := true; c.member(&first); {
		switch c.name {
		case "input_tokens":
			r.usage.In = c.value().count()
		case "output_tokens":
			r.usage.Out = c.value().count()
		case "cache_read_input_tokens":
			r.usage.CacheRead = c.value().count()
		case "cache_creation_input_tokens":
			r.usage.CacheWrite = c.value().count()
		default:
			c.skip()
		}
	}
	r.f.usage = c.since(start, spaces)
}

// structured takes toolUseResult. Only an object is looked into.
func (r *Reader) structured() {
	c, f := &r.scan, &r.f
	f.status, f.childID, f.runID, f.answeredID = value{}, value{}, value{}, value{}
	if c.peek() != '{' {
		f.structured = c.value()
		return
	}
	start, spaces := c.i, c.spaces
	c.open()
	for first := true; c.member(&first); {
		switch c.name {
		case "status":
			f.status = c.value()
		case "agentId":
			f.childID = c.value()
		case "runId":
			f.runID = c.value()
		case "toolUseId":
			f.answeredID = c.value()
		default:
			c.skip()
		}
	}
	f.structured = c.since(start, spaces)
}

func (r *Reader) attachment() {
	c, f := &r.scan, &r.f
	f.attached, f.attachedText, f.attachedContent, f.attachedMode, f.attachedOrigin = value{}, value{}, value{}, value{}, value{}
	if c.peek() != '{' {
		f.attachment = c.value()
		return
	}
	start, spaces := c.i, c.spaces
	c.open()
	for first := true; c.member(&first); {
		switch c.name {
		case "type":
			f.attached = c.value()
		case "text":
			f.attachedText = c.value()
		case "content":
			f.attachedContent = c.value()
		case "commandMode":
			f.attachedMode = c.value()
		case "origin":
			f.attachedOrigin = r.originKind()
		default:
			c.skip()
		}
	}
	f.attachment = c.since(start, spaces)
}

// fill sets what a record says outside its parts.
func (r *Reader) fill(rec *store.Record) {
	f := &r.f
	rec.ID = r.id(f.uuid)
	rec.Parent = r.id(f.parent)
	rec.Time = r.time(f.time)
	rec.From = store.FromRuntime
	r.identify(rec)
	if r.src.Kind != store.Transcript {
		r.companion(rec)
		return
	}
	typ := r.id(f.typ)
	switch typ {
	case "assistant":
		rec.From = store.FromAgent
	case "user":
		rec.From = store.FromExternal
	}
	r.name(typ)
	rec.Call = r.id(f.call)
	rec.Run = r.id(f.prompt)
	rec.Label = r.id(f.title)
	if f.usage.raw != "" {
		rec.Usage = &r.usage
	}
	rec.Tool = r.id(f.answeredID)
	rec.Child = r.agent(f.childID)
	rec.Batch = r.id(f.runID)
	rec.Trigger = r.trigger()
	if typ == "system" && f.subtype.text() == "compact_boundary" {
		rec.Continues = r.id(f.logical)
	}
	rec.Flags = r.flags(rec, typ)
	r.older(rec, typ)
	if rec.Trigger == store.TriggerNotification {
		rec.Flags &= store.Sidechain // CHOICE: where a record stands is said of a notification too
		r.notification(rec)
	}
}

// identify sets what the place of a source says of its records.
func (r *Reader) identify(rec *store.Record) {
	switch r.src.Kind {
	case store.AgentMeta:
		rec.Child = r.src.Stream
	case store.Journal, store.Manifest, store.Script:
		rec.Batch = r.src.Batch
	}
}

// companion reads the files beside the transcripts: sidecar, journal line, manifest.
func (r *Reader) companion(rec *store.Record) {
	f := &r.f
	switch r.src.Kind {
	case store.AgentMeta:
		rec.Label = r.id(f.description)
		rec.StartedBy = r.agent(f.starter)
	case store.Journal:
		rec.Child = r.agent(f.agent)
		if f.typ.text() == "result" {
			rec.Flags = store.ChildResult
		}
	case store.Manifest:
		rec.Label = r.id(f.workflow)
	}
}

// agent is the id of a child agent; what is not shaped like one is none.
func (r *Reader) agent(v value) string {
	id := r.id(v)
	if id != "" && !agentID(id) {
		r.odd.count(oddField, "an agent id is not shaped like one")
		return ""
	}
	return id
}

func (r *Reader) trigger() store.Trigger {
	kind := r.f.origin
	if !kind.isString() {
		kind = r.f.attachedOrigin
	}
	if !kind.isString() {
		return ""
	}
	switch kind.text() {
	case "human":
		return store.TriggerExternal
	case "task-notification":
		return store.TriggerNotification
	}
	return store.TriggerUnknown
}

// flags are those of §5.2 and of rules 4 and 5 of §5.5.
func (r *Reader) flags(rec *store.Record, typ string) (flags store.Flags) {
	f := &r.f
	switch {
	case typ == "user" && f.meta:
		flags |= store.Injected
	case typ == "user" && rec.Trigger == store.TriggerExternal:
		flags |= store.ExternalInput
	case typ == "user" && rec.Trigger == store.TriggerUnknown:
		flags |= store.Injected
	case typ == "user":
	case typ == "attachment" || f.attachment.given():
		flags |= store.Injected
		if f.attached.text() == "queued_command" && f.attachedMode.text() == "prompt" {
			flags = store.ExternalInput
		}
	case typ == "system":
		switch f.subtype.text() {
		case "compact_boundary":
			flags |= store.ContextReset
		case "api_error":
			flags |= store.ErrorFlag
		case "turn_duration":
			flags |= store.TurnDuration
		case "local_command":
			flags |= store.Command
		default:
			flags |= store.Notice
		}
	}
	if f.stop.isString() && f.stop.size > 0 {
		flags |= store.Finished
	}
	if f.model.text() == "<synthetic>" {
		flags |= store.Synthetic
	}
	if f.summary {
		flags |= store.ResetSummary
	}
	switch f.status.text() {
	case "async_launched":
		flags |= store.LaunchAck
	case "completed":
		if rec.Child != "" {
			flags |= store.ChildResult
		}
	}
	if f.sidechain && r.src.Stream == store.Main {
		flags |= store.Sidechain
	}
	return flags
}
