package cli

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"asz/native/claudecode"
	"asz/native/collect"
	"asz/native/store"
	"asz/shared/command"
	"asz/shared/diag"
	"asz/shared/yamldoc"
)

const (
	// configFile is read when no other is named; it need not be there.
	configFile = "asz.yaml"
	// maxSettings is the most MiB that it has.
	maxSettings = 1
)

var configFlag = command.Flag{Name: "config", Value: "FILE", Summary: "settings; else those in ./asz.yaml, else the defaults"}

// config is asz.yaml.
type config struct {
	Storage  storageConfig
	Adapters []adapterConfig
	Parse    parseConfig
	Export   exportConfig
}

type storageConfig struct{ Root string }

type adapterConfig struct {
	Name       string
	Enabled    bool
	SourceRoot string // "" = where the runtime keeps it
	Include    []string
	Exclude    []string
	Collector  collectorConfig
}

type collectorConfig struct {
	Mode     string
	Interval time.Duration
	MaxDelta int
}

type parseConfig struct{ MaxRound int }

type exportConfig struct{ OTLP otlpConfig }

// otlpConfig is read, so that a mistake in it is told, by every verb.
type otlpConfig struct {
	Protocol, Endpoint       string
	TLS                      bool
	Service, Instance, Layer string
	Headers                  []httpHeader
	Batch, PerMinute         int
	Interval                 time.Duration
}

type httpHeader struct{ name, value string }

const mebi = 1 << 20

func defaultConfig() config {
	return config{
		Storage:  storageConfig{Root: "./data"},
		Adapters: []adapterConfig{defaultAdapter()},
		Parse:    parseConfig{MaxRound: 2 * mebi},
		Export:   exportConfig{otlpConfig{Protocol: "grpc", Layer: "AI_AGENT", Batch: 3 * mebi, Interval: 5 * time.Second}},
	}
}

func defaultAdapter() adapterConfig {
	return adapterConfig{
		Name: claudecode.Name, Enabled: true, Exclude: []string{"/private/tmp/**"},
		Collector: collectorConfig{Mode: "watch", Interval: 5 * time.Second, MaxDelta: 2 * mebi},
	}
}

// readConfig reads the settings; mistakes are printed and give an exit code.
func readConfig(c *command.Call) (config, int) {
	name := configFile
	if c.Has("config") {
		name = c.Value("config")
	}
	text, err := readText(name, maxSettings)
	if errors.Is(err, fs.ErrNotExist) {
		if !c.Has("config") {
			return defaultConfig(), 0
		}
		return config{}, c.Fail(exitMisuse, "there are no settings in %q: name a file that is there, or leave out --config to take the defaults", name)
	}
	if err != nil {
		return config{}, c.Fail(exitMisuse, "the settings in %s cannot be read: %v", name, err)
	}
	conf, findings := parseConfigFile(diag.NewSource(name, text))
	findings.WriteText(c.Stderr, c.Color && c.StderrTerminal)
	if n := findings.Count(diag.Error); n > 0 {
		return config{}, c.Fail(exitMisuse, "the settings are not used: correct the %s above", counted(n, "error"))
	}
	return conf, 0
}

// ConfigFindings is what is wrong with an asz.yaml.
func ConfigFindings(src *diag.Source) diag.List {
	_, findings := parseConfigFile(src)
	return findings
}

func parseConfigFile(src *diag.Source) (config, diag.List) {
	conf := defaultConfig()
	doc, findings := yamldoc.Parse(src, yamldoc.Options{})
	if doc.Root == nil || doc.Root.Kind == yamldoc.KindNull && !doc.Root.Broken {
		return conf, findings
	}
	r := yamldoc.NewReader()
	configType().Read(r, doc.Root, &conf)
	conf.checkRoots(r)
	findings = append(findings, r.Findings...)
	findings.Sort()
	return conf, findings
}

// checkRoots refuses two adapters of one folder: each would land what the other has landed.
func (c *config) checkRoots(r *yamldoc.Reader) {
	for i := range c.Adapters {
		a := &c.Adapters[i]
		for j := range c.Adapters[:i] {
			b := &c.Adapters[j]
			if n := r.NodeOf(&a.Name); n != nil && a.Enabled && b.Enabled && a.Name == b.Name && a.SourceRoot == b.SourceRoot {
				d := r.Report("duplicate-id", n.Span.FirstLine(), fmt.Sprintf("two adapters read the same folder with %s", diag.Quoted(a.Name)))
				d.Fix = &diag.Fix{Text: "give one of them another source_root, or make one entry of both"}
				if first := r.NodeOf(&b.Name); first != nil {
					d.Related = []diag.Related{{Span: first.Span.FirstLine(), Message: "the other one"}}
				}
				break
			}
		}
	}
}

func (c *config) storageRoot() *store.Root { return &store.Root{FS: store.Disk(), Dir: c.Storage.Root} }

// adapter is one that is switched on, with the places where its histories may lie.
type adapter struct {
	collect.Adapter
	conf  adapterConfig
	root  string   // that is read
	roots []string // that were looked at, root among them
}

// adapters are those that are switched on.
func (c *config) adapters() []adapter {
	var out []adapter
	for _, conf := range c.Adapters {
		if !conf.Enabled {
			continue
		}
		a := adapter{conf: conf, root: conf.SourceRoot, roots: []string{conf.SourceRoot}}
		if a.root == "" {
			home, _ := os.UserHomeDir()
			a.roots = claudecode.Roots(os.Getenv, home)
			a.root = claudecode.Root(store.Disk(), a.roots)
		}
		if whole, err := filepath.Abs(a.root); err == nil && a.root != "" {
			a.root = filepath.ToSlash(whole) // cursors keep it, and the next pass may begin elsewhere
		}
		a.Adapter = collect.Adapter{
			Name: claudecode.Name + "/" + version, Dialect: claudecode.Dialect,
			MaxDelta: int64(conf.Collector.MaxDelta), Discover: a.discover,
			Open: func(src store.Source, resumed bool) collect.Reader { return claudecode.NewReader(src, resumed) },
		}
		out = append(out, a)
	}
	return out
}

// discover looks for sources. That a runtime was never used is no error; that a folder is missing which the settings name is one.
func (a *adapter) discover() store.Found {
	if a.absent() {
		return store.Found{}
	}
	if _, err := store.Disk().Stat(a.root); errors.Is(err, fs.ErrNotExist) {
		return store.Found{Errors: []error{fmt.Errorf("there is no folder %s: correct source_root in the settings, or leave it out to look where the runtime keeps its histories", a.root)}}
	}
	return claudecode.Discover(store.Disk(), a.root, claudecode.Filter{Include: a.conf.Include, Exclude: a.conf.Exclude})
}

// absent says that the runtime has left nothing in any of its places.
func (a *adapter) absent() bool {
	if a.conf.SourceRoot != "" {
		return false
	}
	if a.root == "" {
		return true
	}
	_, err := store.Disk().Stat(a.root)
	return errors.Is(err, fs.ErrNotExist)
}

// nothing says where no source was found and what to do.
func (a *adapter) nothing() string {
	switch {
	case len(a.roots) == 0:
		return "no history was found: where the home directory is, is not known; name the folder of the histories as source_root in asz.yaml"
	case a.absent() && len(a.roots) == 1:
		return "no history of Claude Code was found: there is no " + a.root + "; if it lies elsewhere, name the folder as source_root in asz.yaml"
	case a.absent():
		return "no history of Claude Code was found: there is none of " + strings.Join(a.roots, ", ") + "; if it lies elsewhere, name the folder as source_root in asz.yaml"
	case len(a.conf.Include) > 0:
		return "no history was found that include and exclude take: looked in " + a.root
	}
	return "no history was found: looked in " + a.root + "; if it lies elsewhere, name the folder as source_root in asz.yaml"
}
