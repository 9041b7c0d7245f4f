// Package site composes pages and assets into a site that any static host can serve, under any path.
package site

import (
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"maps"
	"net/url"
	"slices"

	"asz/shared/lab"
	"asz/shared/labfile"
	"asz/web/page"

	"github.com/a-h/templ"
)

// Title is the catalog's title.
const Title = "Labs"

// Assets are the files that all pages share, and the paths of those that pages name, relative to the site's root.
type Assets struct {
	Files   Files
	Style   string
	Script  string // of a lab's page
	Runtime string // Go's own script, which the player module needs
	Player  string // the player module
	Live    string // reloads pages under the development server; "" otherwise
}

// Compose makes the site of these labs: the catalog, each lab's page and compiled bytes, and labs.json.
func Compose(ctx context.Context, labs []Lab, assets Assets) (Files, error) {
	files := maps.Clone(assets.Files)
	if files == nil {
		files = Files{}
	}
	labs = slices.Clone(labs)
	slices.SortFunc(labs, func(a, b Lab) int {
		return cmp.Or(cmp.Compare(a.Catalog.Order, b.Catalog.Order), cmp.Compare(a.ID, b.ID))
	})
	values := make([]*lab.Lab, len(labs))
	for i, l := range labs {
		values[i] = l.Lab
	}
	files["labs.json"] = labfile.Catalog(values)
	if err := render(ctx, files, "index.html", page.CatalogPage(catalogView(labs, assets))); err != nil {
		return nil, err
	}
	for _, l := range labs {
		compiled := lab.Encode(l.Lab)
		dir := "labs/" + l.ID + "/"
		files[dir+"lab.bin"] = compiled
		if err := render(ctx, files, dir+"index.html", page.LabPage(labView(l, assets, compiled))); err != nil {
			return nil, err
		}
	}
	return files, nil
}

// Hash names content for a cache: it changes when the content does.
func Hash(data []byte) string {
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:6])
}

func render(ctx context.Context, files Files, path string, component templ.Component) error {
	var buffer bytes.Buffer
	if err := component.Render(ctx, &buffer); err != nil {
		return fmt.Errorf("render %s: %w", path, err)
	}
	files[path] = buffer.Bytes()
	return nil
}

func catalogView(labs []Lab, assets Assets) page.Catalog {
	view := page.Catalog{Frame: frame(Title, "", assets)}
	for _, l := range labs {
		card := page.Card{
			Href:        "labs/" + url.PathEscape(l.ID) + "/index.html",
			Title:       cmp.Or(l.Catalog.Title, l.Title),
			Description: cmp.Or(l.Catalog.Description, l.Description),
			Tags:        l.Catalog.Tags,
			Minutes:     l.Catalog.Minutes,
		}
		for _, section := range l.Sections {
			card.Steps += len(section.Steps)
		}
		view.Cards = append(view.Cards, card)
	}
	return view
}

func labView(l Lab, assets Assets, compiled []byte) page.Lab {
	const up = "../../"
	view := page.Lab{
		Frame:       frame(l.Title, up, assets, assets.Runtime, assets.Script),
		Title:       l.Title,
		Description: l.Description,
		Home:        up + "index.html",
		Bytes:       "lab.bin?" + Hash(compiled), // the name stays, so the query tells caches versions apart
		Player:      up + assets.Player,
	}
	for i, section := range l.Sections {
		view.Sections = append(view.Sections, page.Section{ID: section.ID, Title: section.Title, Text: l.Texts[i]})
		for _, step := range section.Steps {
			view.Steps = append(view.Steps, page.Step{ID: step.ID, Title: step.Title})
		}
	}
	for _, terminal := range l.Terminals {
		view.Terminals = append(view.Terminals, page.Terminal{ID: terminal.ID, Title: terminal.Title})
	}
	return view
}

func frame(title, up string, assets Assets, scripts ...string) page.Frame {
	f := page.Frame{Title: title, Style: up + assets.Style}
	if assets.Live != "" {
		scripts = append(scripts, assets.Live)
	}
	for _, script := range scripts {
		f.Scripts = append(f.Scripts, up+script)
	}
	return f
}
