package guirun

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"image"
	"image/png"
	"os"
	"path/filepath"
	"sync"
	"time"
)

// evidence writes a run's report and pictures as it goes. Encoding and writing happen on a goroutine of its own, in order, so
// that they cost the run no time.
type evidence struct {
	r     *run
	queue chan func() error
	done  sync.WaitGroup
	err   error // of the goroutine, read when it has ended
	shots int
	last  *image.RGBA // the last picture that was kept, and its name
	name  string
	paged time.Time   // when report.html was written last
	held  []unwritten // pictures of the row that goes on, where only those of failures are kept
}

// unwritten is a picture that is not written yet.
type unwritten struct {
	name string
	shot *image.RGBA
}

// queued is how many pictures may wait to be encoded, 4 MB each at 1280×800.
const queued = 8

// pageEvery is how often report.html is written anew while the run goes on.
const pageEvery = 2 * time.Second

func newEvidence(r *run) (*evidence, error) {
	for _, dir := range []string{r.Dir, filepath.Join(r.Dir, "screenshots"), filepath.Join(r.Dir, "logs")} {
		if err := os.MkdirAll(dir, 0o755); err != nil {
			return nil, err
		}
	}
	e := &evidence{r: r, queue: make(chan func() error, queued)}
	if err := e.write(e.encode()); err != nil {
		return nil, err
	}
	e.done.Add(1)
	go e.work()
	return e, nil
}

func (e *evidence) work() {
	defer e.done.Done()
	for job := range e.queue {
		if err := job(); err != nil && e.err == nil {
			e.err = err
		}
	}
}

// encode is the report as it is now.
func (e *evidence) encode() []byte {
	text, err := json.MarshalIndent(e.r.report, "", "  ")
	if err != nil {
		return fmt.Appendf(nil, "%q", err) // texts and numbers always encode
	}
	return append(text, '\n')
}

// write writes report.json, and lets nothing secret into it.
func (e *evidence) write(text []byte) error {
	return WriteWhole(filepath.Join(e.r.Dir, ReportFile), e.r.Secrets.JSON(text))
}

// redacted is a copy of a report, or of a part of one, without secrets.
func redacted[T any](s *Secrets, v *T) *T {
	if !s.Any() && (s == nil || len(s.patterns) == 0) {
		return v
	}
	text, err := json.Marshal(v)
	out := new(T)
	if err != nil || json.Unmarshal(s.JSON(text), out) != nil {
		return new(T) // never: texts and numbers encode, and stay a document
	}
	return out
}

// save writes the report as it is now, and its page when the last one is old.
func (e *evidence) save() {
	text := e.encode()
	page := e.r.HTML != nil && e.r.Clock.Now().Sub(e.paged) >= pageEvery
	if page {
		e.paged = e.r.Clock.Now()
	}
	e.queue <- func() error {
		if err := e.write(text); err != nil || !page {
			return err
		}
		return e.page(text)
	}
}

// page writes report.html of an encoded report.
func (e *evidence) page(text []byte) error {
	var r Report
	if err := json.Unmarshal(e.r.Secrets.JSON(text), &r); err != nil {
		return err
	}
	var out bytes.Buffer
	if err := e.r.HTML(&out, &r, e.r.Dir); err != nil {
		return err
	}
	return WriteWhole(filepath.Join(e.r.Dir, "report.html"), out.Bytes())
}

// finish writes the report as it has become, and waits until everything is written.
func (e *evidence) finish() error {
	close(e.queue)
	e.done.Wait()
	return errors.Join(e.err, e.conclude())
}

// conclude writes the report with its verdict.
func (e *evidence) conclude() error {
	text := e.encode()
	err := e.write(text)
	if e.r.HTML != nil {
		err = errors.Join(err, e.page(text))
	}
	return err
}

// picture takes a screenshot as evidence and returns its name, "" when none is kept or none can be taken.
func (r *run) picture(ctx context.Context) string {
	if r.Operator.Screenshots == ScreenshotsNone {
		return ""
	}
	if errors.Is(context.Cause(ctx), errDeadline) { // what the reserve is for
		var stop context.CancelFunc
		ctx, stop = r.Clock.Limit(context.WithoutCancel(ctx), min(r.Operator.Reserve, r.Operator.ActionTimeout), errTooLong)
		defer stop()
	}
	shot, err := r.shot(ctx)
	if err != nil {
		return ""
	}
	return r.keep(shot)
}

// A program that has read its keys has not painted yet: where a picture shows nothing new, it is taken again so often, after
// such a pause.
const (
	paints    = 2
	paintTime = 25 * time.Millisecond
)

// pictureAfter takes the picture after keys or a click; before is that before them.
func (r *run) pictureAfter(ctx context.Context, before string) string {
	name := r.picture(ctx)
	for i := 0; i < paints && name != "" && name == before; i++ {
		if r.Clock.Wait(ctx, paintTime, nil) != nil {
			break
		}
		name = r.picture(ctx)
	}
	return name
}

// keep hands a picture on to be written. One that is as the last is not written again.
func (r *run) keep(shot *image.RGBA) string {
	e := r.write
	if r.Operator.Screenshots == ScreenshotsNone {
		return ""
	}
	if e.last != nil && e.last.Rect == shot.Rect && bytes.Equal(e.last.Pix, shot.Pix) {
		r.desk.Recycle(shot)
		return e.name
	}
	e.shots++
	name := fmt.Sprintf("screenshots/%03d.png", e.shots)
	e.last, e.name = shot, name
	e.held = append(e.held, unwritten{name, shot})
	if r.Operator.Screenshots == ScreenshotsAll {
		e.writeHeld()
	}
	return name
}

// writeHeld hands the held pictures on to be written.
func (e *evidence) writeHeld() {
	for _, h := range e.held {
		e.queue <- func() error { return writePicture(filepath.Join(e.r.Dir, filepath.FromSlash(h.name)), h.shot) }
	}
	e.held = nil
}

// settleHeld writes the pictures of a row that ended where only those of failures are kept, or forgets them.
func (e *evidence) settleHeld(row *Row) {
	if e.r.Operator.Screenshots != ScreenshotsFailures {
		return
	}
	if row.Status == StatusFailed || row.Status == StatusError {
		e.writeHeld()
		return
	}
	e.held, e.last = nil, nil
	row.Screenshots = Screenshots{}
	if row.Phase == PhaseFinal && e.r.report.Final != nil {
		e.r.report.Final.Shot = ""
	}
}

func writePicture(name string, shot *image.RGBA) error {
	var out bytes.Buffer
	encoder := png.Encoder{CompressionLevel: png.BestSpeed}
	if err := encoder.Encode(&out, shot); err != nil {
		return err
	}
	return WriteWhole(name, out.Bytes())
}
