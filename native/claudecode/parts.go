package claudecode

import (
	"strings"

	"asz/native/store"
)

// content adds a part for each block of a message's content.
func (r *Reader) content(rec *store.Record) {
	c, f := &r.scan, &r.f
	rec.Parts, rec.Dropped = rec.Parts[:0], rec.Dropped[:0]
	f.said, f.results, f.crowded = value{}, 0, false
	b := c.peek()
	if b != '[' {
		f.content = c.value()
		if b == '"' {
			f.said = f.content
			rec.Parts = append(rec.Parts, textPart(f.content))
		}
		return
	}
	start, spaces := c.i, c.spaces
	c.open()
	for first := true; c.next(&first, ']'); {
		if len(rec.Parts) == maxBlocks {
			f.crowded = true
			c.skip()
			continue
		}
		r.block(rec)
	}
	f.content = c.since(start, spaces)
}

func textPart(v value) store.Part {
	return store.Part{K: store.PartText, State: store.Available, Bytes: int64(v.size), Text: store.Raw(v.raw)}
}

// block adds the part of one content block.
func (r *Reader) block(rec *store.Record) {
	c, f := &r.scan, &r.f
	if c.peek() != '{' {
		if v := c.value(); v.raw != "" {
			r.strange(rec, v, "a content block that is no object")
		}
		return
	}
	var typ, text, thinking, signature, id, name, input, of, content, failed, source, data value
	start, spaces := c.i, c.spaces
	c.open()
	for first := true; c.member(&first); {
		switch c.name {
		case "type":
			typ = c.value()
		case "text":
			text = c.value()
		case "thinking":
			thinking = c.value()
		case "signature":
			signature = c.value()
		case "id":
			id = c.value()
		case "name":
			name = c.value()
		case "input":
			input = c.value()
		case "tool_use_id":
			of = c.value()
		case "content":
			content = c.value()
		case "is_error":
			failed = c.value()
		case "source":
			source = c.value()
		case "data":
			data = c.value()
		default:
			c.skip()
		}
	}
	whole := c.since(start, spaces)
	if whole.raw == "" {
		return
	}
	switch kind := typ.text(); kind {
	case "text":
		if !text.isString() {
			r.strange(rec, whole, "a text block without a text")
			return
		}
		if f.said.raw == "" {
			f.said = text
		}
		rec.Parts = append(rec.Parts, textPart(text))
	case "thinking":
		part := store.Part{K: store.PartReasoning, State: store.Unavailable}
		if thinking.isString() && thinking.size > 0 {
			part.State, part.Bytes, part.Text = store.Available, int64(thinking.size), store.Raw(thinking.raw)
		}
		rec.Parts = append(rec.Parts, part)
		if signature.isString() && signature.size > 0 {
			rec.Dropped = append(rec.Dropped, store.Dropped{
				What: "reasoning signature", Bytes: int64(signature.size), Why: "it is of use to the provider only",
			})
		}
	case "redacted_thinking":
		rec.Parts = append(rec.Parts, store.Part{K: store.PartReasoning, State: store.Redacted, Bytes: int64(data.size)})
	case "tool_use", "server_tool_use":
		part := store.Part{K: store.PartCall, State: store.Available, ID: r.id(id), Name: r.id(name), Data: r.data(input)}
		part.Bytes = int64(len(part.Data))
		rec.Parts = append(rec.Parts, part)
	case "tool_result":
		f.results++
		rec.Parts = append(rec.Parts, r.result(of, content, failed))
	case "image", "document":
		if !source.isObject() {
			r.strange(rec, whole, "a media block without a source")
			return
		}
		rec.Parts = append(rec.Parts, r.media(source))
	default:
		r.odd.named(oddBlock, kind)
		r.unknown(rec, whole.raw, "a content block of a type that is not known")
	}
}

func (r *Reader) strange(rec *store.Record, v value, reason string) {
	r.odd.count(oddField, reason)
	r.unknown(rec, v.raw, reason)
}

// result is the part of a tool_result block. CHOICE: the texts of several text blocks are joined by a newline; a list
// without blocks is an empty text.
func (r *Reader) result(of, content, failed value) store.Part {
	part := store.Part{K: store.PartResult, State: store.Available, Of: r.id(of)}
	switch failed.raw {
	case "true":
		part.Failed = &r.answers[1]
	case "false":
		part.Failed = &r.answers[0]
	}
	switch {
	case content.isString():
		part.Text, part.Bytes = store.Raw(content.raw), int64(content.size)
		return part
	case content.isArray():
		if text, size, ok := r.joined(content); ok {
			part.Text, part.Bytes = text, int64(size)
			return part
		}
	}
	if content.given() {
		part.Data = r.data(content)
		part.Bytes = int64(len(part.Data))
	}
	return part
}

// joined is the texts of a list of text blocks as one JSON string; ok is false when it holds anything else.
func (r *Reader) joined(list value) (text store.Raw, size int, ok bool) {
	c := &r.inner
	c.start(list.raw)
	c.peek()
	c.open()
	blocks, mark := 0, 0
	text = `""`
	for first := true; c.next(&first, ']'); blocks++ {
		if c.peek() != '{' {
			break
		}
		var typ, v value
		c.open()
		for first := true; c.member(&first); {
			switch c.name {
			case "type":
				typ = c.value()
			case "text":
				v = c.value()
			default:
				c.skip()
			}
		}
		if typ.text() != "text" || !v.isString() {
			break
		}
		switch blocks {
		case 0:
			text = store.Raw(v.raw)
		case 1:
			mark = r.room(len(list.raw))
			r.scratch = append(r.scratch, text[:len(text)-1]...)
			fallthrough
		default:
			r.scratch = append(append(r.scratch, `\n`...), v.raw[1:len(v.raw)-1]...)
			size++
		}
		size += v.size
	}
	if c.i < len(c.s) { // something else than a text block
		if blocks > 1 {
			r.scratch = r.scratch[:mark]
		}
		return "", 0, false
	}
	if blocks > 1 {
		r.scratch = append(r.scratch, '"')
		text = r.made(mark)
	}
	return text, size, true
}

// media is the part of an image or document. CHOICE: the bytes of base64 are those of what it encodes. A source that only
// names a place is kept as it is; what it names is not there.
func (r *Reader) media(source value) store.Part {
	c := &r.inner
	c.start(source.raw)
	c.peek()
	c.open()
	var typ, media, data value
	for first := true; c.member(&first); {
		switch c.name {
		case "type":
			typ = c.value()
		case "media_type":
			media = c.value()
		case "data":
			data = c.value()
		default:
			c.skip()
		}
	}
	part := store.Part{K: store.PartMedia, State: store.Available, MediaType: r.id(media)}
	kind := typ.text()
	switch {
	case data.isString() && kind == "base64":
		part.Data = store.Raw(data.raw)
		padding := len(data.raw) - 1 - len(strings.TrimRight(data.raw[:len(data.raw)-1], "="))
		part.Bytes = max(0, int64(data.size-padding)*3/4)
	case data.isString():
		part.Data, part.Bytes = store.Raw(data.raw), int64(data.size)
	default:
		part.Data = r.data(source)
		if kind == "url" || kind == "file" {
			part.State = store.Unavailable
		} else {
			part.Bytes = int64(len(part.Data))
		}
	}
	return part
}

// finish adds the parts that do not come from blocks of content.
func (r *Reader) finish(body string, rec *store.Record) {
	f := &r.f
	transcript := r.src.Kind == store.Transcript
	if !transcript || !f.message.given() && !f.attachment.given() {
		rec.Parts, rec.Dropped = rec.Parts[:0], rec.Dropped[:0]
		part := store.Part{K: store.PartData, State: store.Available, Data: r.data(value{raw: body, spaced: r.scan.spaces > 0})}
		part.Bytes = int64(len(part.Data))
		rec.Parts = append(rec.Parts, part)
		return
	}
	switch {
	case !f.message.given():
	case !f.message.isObject():
		r.strange(rec, f.message, "a message that is no object")
	case f.crowded:
		rec.Parts, rec.Dropped = rec.Parts[:0], rec.Dropped[:0]
		r.strange(rec, f.content, "a message of more than 16384 content blocks")
	case !f.content.given():
		r.strange(rec, f.message, "a message without content")
	case !f.content.isString() && !f.content.isArray():
		r.strange(rec, f.content, "a content that is neither text nor a list")
	}
	r.beside(rec)
	if f.attachment.given() {
		r.attach(rec)
	}
}

// beside puts an object of toolUseResult beside the text of the result. CHOICE: of several results, the first; when it has
// no place there, the record says that it was dropped.
func (r *Reader) beside(rec *store.Record) {
	v := r.f.structured
	if !v.given() {
		return
	}
	why := "it stands in no result"
	switch {
	case v.isString():
		r.odd.count(oddField, "toolUseResult is a text")
		why = "it repeats the text of the result"
	case v.isArray():
		r.odd.count(oddField, "toolUseResult is a list")
		why = "it repeats the content of the result"
	case !v.isObject():
		r.odd.count(oddField, "toolUseResult is neither object, text nor list")
	default:
		for i := range rec.Parts {
			if rec.Parts[i].K != store.PartResult {
				continue
			}
			if part := &rec.Parts[i]; part.Data == "" {
				part.Data = r.data(v)
				if part.Text == "" { // it is all there is of the result
					part.Bytes = int64(len(part.Data))
				}
				return
			}
			why = "the content of the result stands in its place"
			break
		}
	}
	rec.Dropped = append(rec.Dropped, store.Dropped{What: "structured result", Bytes: int64(len(v.raw)), Why: why})
}

func (r *Reader) attach(rec *store.Record) {
	f := &r.f
	switch {
	case f.attachedText.isString():
		rec.Parts = append(rec.Parts, textPart(f.attachedText))
	case f.attachedContent.isString():
		rec.Parts = append(rec.Parts, textPart(f.attachedContent))
	default:
		part := store.Part{K: store.PartData, State: store.Available, Data: r.data(f.attachment)}
		part.Bytes = int64(len(part.Data))
		rec.Parts = append(rec.Parts, part)
	}
}
