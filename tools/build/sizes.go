package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"

	"asz/tools/build/maker"

	"github.com/andybalholm/brotli"
)

// printSizes prints each file of the site with its size, plain and as a static host with brotli sends it.
func printSizes(ctx context.Context, m *maker.Maker, stdout io.Writer) error {
	files, _, err := m.Make(ctx, maker.All)
	if err != nil {
		return err
	}
	if files == nil {
		return errors.New("the labs have errors: build the site to see them")
	}
	fmt.Fprintf(stdout, "%10s %10s  file\n", "bytes", "brotli")
	for _, path := range slices.Sorted(maps.Keys(files)) {
		var packed bytes.Buffer
		writer := brotli.NewWriterLevel(&packed, brotli.BestCompression)
		if _, err := writer.Write(files[path]); err != nil {
			return err
		}
		if err := writer.Close(); err != nil {
			return err
		}
		fmt.Fprintf(stdout, "%10d %10d  %s\n", len(files[path]), packed.Len(), path)
	}
	return nil
}
