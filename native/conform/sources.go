package conform

import (
	"fmt"

	"asz/native/claudecode"
	"asz/native/store"
)

// content is a source file as the stage leaves it. Files that grow end each line; the others are one value.
func (p *Plan) content(f *File) (content []byte, records int) {
	stream := p.Stream(f)
	for r := range p.Stage(f) {
		content = stream.Append(content, &r.Line)
		if !f.Kind.Snapshot() {
			content = append(content, '\n')
		}
		records++
	}
	return content, records
}

// fitsSources refuses a session whose source files are not those that an earlier stage left.
func (b *builder) fitsSources(p *Plan) error {
	landed, err := (&store.Root{FS: b.FS, Dir: b.Out}).Session(p.Session).Landed()
	if err != nil {
		return fmt.Errorf("%s cannot be looked into: %w", b.at(p.Session), reason(err))
	}
	if len(landed) > 0 {
		if f, err := store.OpenLanded(b.FS, landed[0].Path); err == nil { // a damaged one is not this build's to judge
			dialect := f.Header().Dialect
			f.Close()
			if dialect == mockDialect {
				return fmt.Errorf("%s was built with --format %s: name another directory", b.at(p.Session), SessionData)
			}
		}
	}
	for i := range p.Files {
		f := &p.Files[i]
		content, _ := p.content(f)
		name := b.at(Source, f.Rel)
		stands, err := compare(b.FS, name, content)
		switch {
		case err != nil:
			return err
		case stands == other:
			return fmt.Errorf("%s is no earlier stage of this build: name another directory, or give the same file and --at as then", name)
		}
	}
	return nil
}

// writeSources writes the source files of a session, each to its length in the stage.
func (b *builder) writeSources(p *Plan, built *Built) error {
	if err := b.plant(p); err != nil {
		return err
	}
	for i := range p.Files {
		f := &p.Files[i]
		content, records := p.content(f)
		built.Records += records
		if records == 0 {
			continue
		}
		name := b.at(Source, f.Rel)
		stands, err := compare(b.FS, name, content)
		switch {
		case err != nil:
			return err
		case stands == other:
			return fmt.Errorf("%s was changed while the build ran", name)
		case stands == equal:
			continue
		}
		if err := write(b.FS, name, content, stands == shorter); err != nil {
			return err
		}
		built.Files++
		built.Bytes += int64(len(content))
	}
	return nil
}

// plant plants noise beside the first session.
func (b *builder) plant(p *Plan) error {
	if p.Session != sessionID(b.scenario) {
		return nil
	}
	for _, n := range claudecode.NoiseBeside(p.Project, p.Session) {
		name := b.at(Source, n.Rel)
		stands, err := compare(b.FS, name, []byte(n.Text))
		if err != nil || stands == equal || stands == other { // whatever stands there is noise as well
			continue
		}
		if err := write(b.FS, name, []byte(n.Text), false); err != nil {
			return err
		}
	}
	return nil
}
