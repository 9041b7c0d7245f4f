package site

import (
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"

	"asz/shared/diag"
	"asz/shared/lab"
	"asz/shared/labfile"
)

// Lab is a lab with what its page shows: its sections, in their order, and the files that they refer to.
type Lab struct {
	*lab.Lab
	Sections []Section
	Files    Files // by path relative to the lab
}

// Section is what a section's Markdown became. HTML is sanitised.
type Section struct {
	HTML    string
	Titled  bool // HTML begins with a heading of its own
	Mermaid bool // HTML holds a diagram's source
}

// mermaid reports whether a page of the lab needs the script that draws diagrams.
func (l Lab) mermaid() bool {
	return slices.ContainsFunc(l.Sections, func(s Section) bool { return s.Mermaid })
}

// Load reads every lab of a folder of labs: each folder in it that holds a labspace.yaml. A lab with a finding that
// stops it is left out; the findings say so. The error is of the file system, or of a section that cannot be read.
func Load(labs fs.FS) ([]Lab, diag.List, error) {
	entries, err := fs.ReadDir(labs, ".")
	if err != nil {
		return nil, nil, fmt.Errorf("read the folder of labs: %w", err)
	}
	var out []Lab
	var findings diag.List
	for _, entry := range entries {
		dir := entry.Name()
		if _, err := fs.Stat(labs, dir+"/labspace.yaml"); err != nil {
			if errors.Is(err, fs.ErrNotExist) || !entry.IsDir() {
				continue
			}
			return nil, nil, fmt.Errorf("read the lab %s: %w", dir, err)
		}
		loaded := labfile.Load(labs, dir)
		findings = append(findings, loaded.Findings...)
		if loaded.Lab == nil {
			continue
		}
		l, err := load(labs, dir, loaded.Lab)
		if err != nil {
			return nil, findings, err
		}
		out = append(out, l)
	}
	return out, findings, nil
}

func load(labs fs.FS, dir string, l *lab.Lab) (Lab, error) {
	files, err := fs.Sub(labs, dir)
	if err != nil {
		return Lab{}, fmt.Errorf("open the lab %s: %w", dir, err)
	}
	found := &collector{lab: files, files: Files{}}
	for i := range l.Services {
		// An address of the site that leads into this very lab is one of the lab's.
		service := &l.Services[i]
		if inside, ok := strings.CutPrefix(service.URL, "labs/"+l.ID+"/"); ok && found.take(inside) != "" {
			service.URL = inside
		}
		found.take(service.URL)
	}
	out := Lab{Lab: l, Files: found.files}
	for _, section := range l.Sections {
		var text []byte
		if section.Content != "" {
			if text, err = fs.ReadFile(labs, path.Join(dir, section.Content)); err != nil {
				return Lab{}, fmt.Errorf("section %q of the lab %s: %w", section.Title, dir, err)
			}
		}
		out.Sections = append(out.Sections, render(text, section.ID, l, found))
	}
	return out, nil
}
