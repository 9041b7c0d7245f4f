// Package site composes pages and assets into a site that any static host can serve, under any path.
package site

import (
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
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
	Files    Files
	Style    string
	Head     string // runs before a page is shown
	Script   string // of a lab's page
	Catalog  string // of the catalog
	Diagrams string // draws diagrams, in the pages that have any
	Runtime  string // Go's own script, which the player module needs
	Player   string // the player module
	Live     string // reloads pages under the development server; "" otherwise
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
	if err := write(ctx, files, "index.html", page.CatalogPage(catalogView(labs, assets))); err != nil {
		return nil, err
	}
	if !slices.ContainsFunc(labs, Lab.mermaid) {
		delete(files, assets.Diagrams)
	}
	for _, l := range labs {
		compiled := lab.Encode(l.Lab)
		dir := "labs/" + l.ID + "/"
		files[dir+"lab.bin"] = compiled
		for path, data := range l.Files {
			files[dir+filesDir+path] = data
		}
		view, err := labView(l, assets, compiled)
		if err != nil {
			return nil, err
		}
		if err := write(ctx, files, dir+"index.html", page.LabPage(view)); err != nil {
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

func write(ctx context.Context, files Files, path string, component templ.Component) error {
	var buffer bytes.Buffer
	if err := component.Render(ctx, &buffer); err != nil {
		return fmt.Errorf("render %s: %w", path, err)
	}
	files[path] = buffer.Bytes()
	return nil
}

func catalogView(labs []Lab, assets Assets) page.Catalog {
	view := page.Catalog{Frame: frame(Title, "", assets, assets.Catalog)}
	for _, l := range labs {
		card := page.Card{
			ID:          l.ID,
			Version:     l.Version,
			Href:        "labs/" + url.PathEscape(l.ID) + "/index.html",
			Title:       cmp.Or(l.Catalog.Title, l.Title),
			Description: cmp.Or(l.Catalog.Description, l.Description),
			Icon:        l.Catalog.Icon,
			Tags:        l.Catalog.Tags,
			Minutes:     l.Catalog.Minutes,
		}
		for _, section := range l.Lab.Sections {
			card.Steps += len(section.Steps)
		}
		view.Cards = append(view.Cards, card)
	}
	return view
}

// config is what a lab's page tells its script, as JSON.
type config struct {
	ID        string            `json:"id"`
	Version   string            `json:"version"`
	Variables map[string]string `json:"variables"`
	Services  []service         `json:"services"`
	Files     []string          `json:"files"` // of the lab that stand below filesDir
}

type service struct {
	ID    string `json:"id"`
	Title string `json:"title"`
	URL   string `json:"url"`
}

func labView(l Lab, assets Assets, compiled []byte) (page.Lab, error) {
	const up = "../../"
	view := page.Lab{
		Frame:       frame(l.Title, up, assets, assets.Runtime, assets.Script),
		Title:       l.Title,
		Description: l.Description,
		Home:        up + "index.html",
		Root:        up,
		Bytes:       "lab.bin?" + Hash(compiled), // the name stays, so the query tells caches versions apart
		Player:      up + assets.Player,
	}
	c := config{ID: l.ID, Version: l.Version, Variables: map[string]string{}, Services: []service{}, Files: slices.Sorted(maps.Keys(l.Files))}
	for _, variable := range l.Variables {
		c.Variables[variable.Name] = variable.Text
	}
	for _, s := range l.Services {
		c.Services = append(c.Services, service{s.ID, s.Title, s.URL})
		view.Services = append(view.Services, s.Title)
	}
	encoded, err := json.Marshal(c)
	if err != nil {
		return page.Lab{}, fmt.Errorf("describe the lab %s: %w", l.ID, err)
	}
	view.Config = string(encoded)
	for i, section := range l.Lab.Sections {
		shown := page.Section{ID: section.ID, Title: section.Title, HTML: l.Sections[i].HTML, Titled: l.Sections[i].Titled}
		for _, step := range section.Steps {
			shown.Steps = append(shown.Steps, page.Step{ID: step.ID, Title: step.Title})
		}
		view.Sections = append(view.Sections, shown)
	}
	if l.mermaid() {
		view.Diagrams = up + assets.Diagrams
	}
	for _, terminal := range l.Terminals {
		view.Terminals = append(view.Terminals, page.Terminal{ID: terminal.ID, Title: terminal.Title})
	}
	if l.CI != nil {
		view.CI = cmp.Or(l.CI.Title, "CI")
	}
	return view, nil
}

func frame(title, up string, assets Assets, scripts ...string) page.Frame {
	f := page.Frame{Title: title, Style: up + assets.Style, Head: up + assets.Head}
	if assets.Live != "" {
		scripts = append(scripts, assets.Live)
	}
	for _, script := range scripts {
		f.Scripts = append(f.Scripts, up+script)
	}
	return f
}
