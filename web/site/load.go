package site

import (
	"errors"
	"fmt"
	"io/fs"
	"path"

	"asz/shared/diag"
	"asz/shared/lab"
	"asz/shared/labfile"
)

// Lab is a lab with the text of its sections, in their order.
type Lab struct {
	*lab.Lab
	Texts []string
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
		texts, err := sectionTexts(labs, dir, loaded.Lab.Sections)
		if err != nil {
			return nil, findings, err
		}
		out = append(out, Lab{Lab: loaded.Lab, Texts: texts})
	}
	return out, findings, nil
}

func sectionTexts(labs fs.FS, dir string, sections []lab.Section) ([]string, error) {
	texts := make([]string, len(sections))
	for i, section := range sections {
		if section.Content == "" {
			continue
		}
		text, err := fs.ReadFile(labs, path.Join(dir, section.Content))
		if err != nil {
			return nil, fmt.Errorf("section %q of the lab %s: %w", section.Title, dir, err)
		}
		texts[i] = string(text)
	}
	return texts, nil
}
