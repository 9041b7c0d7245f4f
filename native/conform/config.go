package conform

import (
	"errors"
	"fmt"
	"io/fs"
	"strconv"
	"strings"
	"unicode/utf8"

	"asz/native/claudecode"
	"asz/native/store"
)

const (
	configName = "asz.yaml"
	// configMarker is the first line of an asz.yaml that a build wrote.
	configMarker = "# Written by asz scenario build, which writes it anew down to the line \"# Yours\"."
	// configEnd is the last line that a build writes anew.
	configEnd = "# Yours: what stands below this line is kept."
	// exportBlock stands below it once: it waits for a person.
	exportBlock = `
# The receiver of asz push:
#
# export:
#   otlp:
#     protocol: grpc
#     endpoint: 127.0.0.1:11800
`
	maxConfig = 1 << 20 // bytes of an asz.yaml that is kept
)

// config is the asz.yaml that a build leaves; same says that it stands there already.
type config struct {
	name, content string
	same          bool
}

// config reads the directory's asz.yaml and refuses one that no build wrote.
func (b *builder) config() (*config, error) {
	if !utf8.ValidString(b.Out) {
		return nil, fmt.Errorf("the name of the directory %q is not UTF-8, so asz.yaml cannot hold it", b.Out)
	}
	head := configMarker + "\n" +
		"storage:\n  root: " + strconv.Quote(b.Out) + "\n" +
		"adapters:\n  - name: " + claudecode.Name + "\n    source_root: " + strconv.Quote(b.at(Source)) + "\n    exclude: []\n" +
		configEnd + "\n"
	c := &config{name: b.at(configName), content: head + exportBlock}
	before, err := readSmall(b.FS, c.name)
	if errors.Is(err, fs.ErrNotExist) {
		return c, nil
	}
	if err != nil {
		return nil, fmt.Errorf("%s cannot be read: %w", c.name, reason(err))
	}
	if first, _, _ := strings.Cut(before, "\n"); strings.TrimRight(first, "\r") != configMarker {
		return nil, fmt.Errorf("%s was not written by a build: name another directory", c.name)
	}
	yours, ok := below(before)
	if !ok {
		return nil, fmt.Errorf("%s has lost its line %q, so what a build wrote cannot be told from what is yours: put the line back, or move the file away", c.name, configEnd)
	}
	c.content = head + yours
	c.same = c.content == before
	return c, nil
}

// below is what stands below the line at which a build's own part ends.
func below(text string) (string, bool) {
	for rest := text; rest != ""; {
		var line string
		line, rest, _ = strings.Cut(rest, "\n")
		if strings.TrimRight(line, "\r") == configEnd {
			return rest, true
		}
	}
	return "", false
}

func (c *config) write(disk store.FS) error {
	if c.same {
		return nil
	}
	return write(disk, c.name, []byte(c.content), true)
}

// readSmall reads a file that people write.
func readSmall(disk store.ReadFS, name string) (string, error) {
	f, err := disk.Open(name)
	if err != nil {
		return "", err
	}
	defer f.Close()
	info, err := f.Stat()
	switch {
	case err != nil:
		return "", err
	case info.Size > maxConfig:
		return "", errors.New("it is larger than 1 MiB")
	}
	text := make([]byte, info.Size)
	if n, err := f.ReadAt(text, 0); n < len(text) {
		return "", err
	}
	return string(text), nil
}
