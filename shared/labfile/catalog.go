package labfile

import (
	"cmp"
	"encoding/json"
	"slices"

	"asz/shared/lab"
)

// Catalog makes labs.json of the labs of a folder: sorted by order, then id.
func Catalog(labs []*lab.Lab) []byte {
	type entry struct {
		ID          string   `json:"id"`
		Path        string   `json:"path"`
		Title       string   `json:"title"`
		Description string   `json:"description"`
		Icon        string   `json:"icon"`
		Tags        []string `json:"tags"`
		Minutes     int      `json:"estimatedMinutes"`
		Order       int      `json:"order"`
		Version     string   `json:"version"`
		Steps       int      `json:"steps"`
	}
	file := struct {
		Version int     `json:"version"`
		Labs    []entry `json:"labs"`
	}{1, []entry{}}
	for _, l := range Sorted(labs) {
		e := entry{
			ID: l.ID, Path: l.ID, Title: cmp.Or(l.Catalog.Title, l.Title),
			Description: cmp.Or(l.Catalog.Description, l.Description), Icon: l.Catalog.Icon,
			Tags: l.Catalog.Tags, Minutes: l.Catalog.Minutes, Order: l.Catalog.Order, Version: l.Version,
		}
		if e.Tags == nil {
			e.Tags = []string{}
		}
		for _, s := range l.Sections {
			e.Steps += len(s.Steps)
		}
		file.Labs = append(file.Labs, e)
	}
	out, err := json.MarshalIndent(file, "", "  ")
	if err != nil {
		panic(err) // texts and numbers always marshal
	}
	return append(out, '\n')
}

// Sorted returns the labs in the order of the catalog.
func Sorted(labs []*lab.Lab) []*lab.Lab {
	labs = slices.Clone(labs)
	slices.SortStableFunc(labs, func(a, b *lab.Lab) int {
		return cmp.Or(cmp.Compare(a.Catalog.Order, b.Catalog.Order), cmp.Compare(a.ID, b.ID))
	})
	return labs
}
