package cli

import (
	"fmt"
	"math"
	"strings"
	"time"

	"asz/native/claudecode"
	"asz/shared/diag"
	"asz/shared/yamldoc"
)

// ConfigSchema is the JSON Schema of asz.yaml.
func ConfigSchema() []byte {
	return configType().SchemaFile(configFile, "What asz collects, where it keeps it and where it sends it.")
}

func configType() yamldoc.Type[config] {
	return yamldoc.Object(configFile,
		yamldoc.Optional("storage", "where Session Data is kept", yamldoc.Object("`storage`",
			yamldoc.Optional("root", "its folder; relative to the working directory", folder(false), func(s *storageConfig) *string { return &s.Root }),
		), func(c *config) *storageConfig { return &c.Storage }),
		yamldoc.Optional("adapters", "the runtimes whose histories are collected, in place of the default one", yamldoc.List(adapterType()), func(c *config) *[]adapterConfig { return &c.Adapters }),
		yamldoc.Optional("parse", "how rounds are made", yamldoc.Object("`parse`",
			yamldoc.Optional("max_round_bytes", "of a round; 0 = no bound", yamldoc.Int(0, math.MaxInt), func(p *parseConfig) *int { return &p.MaxRound }),
		), func(c *config) *parseConfig { return &c.Parse }),
		yamldoc.Optional("export", "where files are sent", yamldoc.Object("`export`",
			yamldoc.Optional("otlp", "an OpenTelemetry receiver", otlpType(), func(e *exportConfig) *otlpConfig { return &e.OTLP }),
		), func(c *config) *exportConfig { return &c.Export }),
	)
}

// adapterType reads an entry over the defaults of an adapter.
func adapterType() yamldoc.Type[adapterConfig] {
	patterns := yamldoc.List(patternType())
	collector := yamldoc.Object("`collector`",
		yamldoc.Optional("mode", "`watch` goes on, `once` ends", yamldoc.Word("a mode", "watch", "once"), func(c *collectorConfig) *string { return &c.Mode }),
		yamldoc.Optional("interval", "between two passes", pauseType(), func(c *collectorConfig) *time.Duration { return &c.Interval }),
		yamldoc.Optional("max_delta_bytes", "of source in a landed file", yamldoc.Int(1, math.MaxInt), func(c *collectorConfig) *int { return &c.MaxDelta }),
	)
	fields := yamldoc.Object("an adapter",
		yamldoc.Required("name", "of the runtime", yamldoc.Word("a runtime", claudecode.Name), func(a *adapterConfig) *string { return &a.Name }),
		yamldoc.Optional("enabled", "false: passed over", yamldoc.Bool(), func(a *adapterConfig) *bool { return &a.Enabled }),
		yamldoc.Optional("source_root", "where it keeps histories; empty = where the runtime does", folder(true), func(a *adapterConfig) *string { return &a.SourceRoot }),
		yamldoc.Optional("include", "only these projects: working directories, /a/** for all below /a and not /a itself, or globs on names of project directories", patterns, func(a *adapterConfig) *[]string { return &a.Include }),
		yamldoc.Optional("exclude", "not these projects; entries as in include", patterns, func(a *adapterConfig) *[]string { return &a.Exclude }),
		yamldoc.Optional("collector", "how it is collected", collector, func(a *adapterConfig) *collectorConfig { return &a.Collector }),
	)
	return yamldoc.NewType(fields.Name(), fields.Schema, func(r *yamldoc.Reader, n *yamldoc.Node, dst *adapterConfig) bool {
		*dst = defaultAdapter()
		return fields.Read(r, n, dst)
	})
}

func otlpType() yamldoc.Type[otlpConfig] {
	text := yamldoc.Text()
	return yamldoc.Object("`otlp`",
		yamldoc.Optional("protocol", "`grpc` or `http`", yamldoc.Word("a protocol", "grpc", "http"), func(o *otlpConfig) *string { return &o.Protocol }),
		yamldoc.Optional("endpoint", "host:port, or a URL for http", text, func(o *otlpConfig) *string { return &o.Endpoint }),
		yamldoc.Optional("tls", "grpc over TLS", yamldoc.Bool(), func(o *otlpConfig) *bool { return &o.TLS }),
		yamldoc.Optional("service_name", "in place of the runtime's name", text, func(o *otlpConfig) *string { return &o.Service }),
		yamldoc.Optional("instance_id", "in place of user@host", text, func(o *otlpConfig) *string { return &o.Instance }),
		yamldoc.Optional("layer", "service.layer", text, func(o *otlpConfig) *string { return &o.Layer }),
		yamldoc.Optional("headers", "sent with each request", headersType(), func(o *otlpConfig) *[]httpHeader { return &o.Headers }),
		yamldoc.Optional("batch_bytes", "of files in a request", yamldoc.Int(1, math.MaxInt), func(o *otlpConfig) *int { return &o.Batch }),
		yamldoc.Optional("max_bytes_per_minute", "0 = no bound", yamldoc.Int(0, math.MaxInt), func(o *otlpConfig) *int { return &o.PerMinute }),
		yamldoc.Optional("interval", "between two passes", pauseType(), func(o *otlpConfig) *time.Duration { return &o.Interval }),
	)
}

func headersType() yamldoc.Type[[]httpHeader] {
	return yamldoc.Entries("a map from header to text", func(s *yamldoc.Schema) { s.Others = yamldoc.Text().Schema() }, func(r *yamldoc.Reader, p yamldoc.Pair, h *httpHeader) bool {
		h.name = p.Key
		return yamldoc.Text().Read(r, p.Value, &h.value)
	})
}

// checked reads a value that must also hold to a rule, as the schema says it; wrong says how it does not, and what to do.
func checked[T any](t yamldoc.Type[T], schema func(*yamldoc.Schema), wrong func(T) (message, fix string)) yamldoc.Type[T] {
	return yamldoc.NewType(t.Name(), yamldoc.Narrow(t, schema).Schema, func(r *yamldoc.Reader, n *yamldoc.Node, dst *T) bool {
		if !t.Read(r, n, dst) {
			return false
		}
		message, fix := wrong(*dst)
		if message != "" {
			r.Report("wrong-type", n.Span.FirstLine(), message).Fix = &diag.Fix{Text: fix}
		}
		return message == ""
	})
}

// folder reads a path. Nothing in it is expanded: a shell would have done so, and a folder that is called `~` is not what
// anybody wants.
func folder(mayBeEmpty bool) yamldoc.Type[string] {
	schema := func(s *yamldoc.Schema) { s.Pattern = `^[^~$\x00][^\x00]*$` }
	if mayBeEmpty {
		schema = func(s *yamldoc.Schema) { s.Pattern = `^([^~$\x00][^\x00]*)?$` }
	}
	return checked(yamldoc.Text(), schema, func(dir string) (message, fix string) {
		switch {
		case dir == "" && !mayBeEmpty:
			return "the path of this folder is empty", "name a folder, such as ./data"
		case strings.Contains(dir, "\x00"):
			return "a path holds no NUL", "remove it"
		case strings.HasPrefix(dir, "~"):
			return "`~` is not expanded here", "write the whole path of the folder, or ./~ for a folder of that name"
		case strings.HasPrefix(dir, "$"):
			return "variables of the environment are not expanded here", "write the whole path of the folder, or ./$ and so on for a folder of that name"
		}
		return "", ""
	})
}

// pauseType reads a time between two passes.
func pauseType() yamldoc.Type[time.Duration] {
	schema := func(s *yamldoc.Schema) {
		s.Types, s.Minimum, s.Maximum = []string{"string"}, nil, nil // as a number there is only 0
		s.Not = &yamldoc.Schema{Types: []string{"string"}, Pattern: `^[^1-9]*$`}
	}
	return checked(yamldoc.Duration(), schema, func(d time.Duration) (message, fix string) {
		if d <= 0 {
			return "there must be some time between two passes", "write 5s, say"
		}
		return "", ""
	})
}

func patternType() yamldoc.Type[string] {
	schema := func(s *yamldoc.Schema) { s.Pattern = `^[^~]` }
	return checked(yamldoc.Text(), schema, func(entry string) (message, fix string) {
		switch {
		case entry == "":
			return "an empty pattern takes no project", "remove it, or name a working directory or a glob on project names"
		case strings.HasPrefix(entry, "~"):
			return "`~` is not expanded here", "write the whole path of the working directory"
		case claudecode.Filter{Include: []string{entry}}.Check() != nil:
			return fmt.Sprintf("%s is no pattern", diag.Quoted(entry)), "close its brackets, or put a backslash before them"
		}
		return "", ""
	})
}
