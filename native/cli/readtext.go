package cli

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"syscall"
)

// readText reads a file that a person named, at most so many MiB of it. It may be a pipe or a device, but it is never read
// without end, and a pipe that nobody writes to is an error: opening it the ordinary way would wait for ever. Errors leave the
// name to the caller.
func readText(name string, mebis int64) (string, error) {
	f, err := os.OpenFile(name, os.O_RDONLY|syscall.O_NONBLOCK, 0)
	if err != nil {
		return "", reasonOf(err)
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return "", reasonOf(err)
	}
	most := mebis * mebi
	text, err := io.ReadAll(io.LimitReader(f, most+1))
	switch {
	case info.IsDir():
		return "", errors.New("it is a directory: name a file")
	case err != nil:
		return "", reasonOf(err)
	case int64(len(text)) > most:
		return "", fmt.Errorf("it is larger than %d MiB", mebis)
	case len(text) == 0 && info.Mode()&fs.ModeNamedPipe != 0:
		return "", errors.New("it is a pipe that nobody writes to: name a file, or start the writer first")
	}
	return string(text), nil
}

// reasonOf is what is behind an error of a file that the message names already.
func reasonOf(err error) error {
	var path *fs.PathError
	if errors.As(err, &path) {
		return path.Err
	}
	return err
}
