package x11

import (
	"context"
	"encoding/binary"
	"errors"
	"image"
	"math/bits"
	"runtime"
	"sync"

	"github.com/jezek/xgb/xproto"
	"golang.org/x/sys/unix"

	"asz/native/guirun"
)

// camera takes screenshots through memory that is shared with the server, where there is some.
type camera struct {
	mu     sync.Mutex
	tried  int  // bytes that were asked for last; 0: not yet
	major  byte // of MIT-SHM; 0: pictures come over the wire
	id     uint32
	memory []byte
	proven bool        // the server writes into this memory, and into no other of the same number
	spare  *image.RGBA // a picture that was given back
}

// Recycle implements guirun.Desktop.
func (d *Display) Recycle(shot *image.RGBA) {
	d.camera.mu.Lock()
	defer d.camera.mu.Unlock()
	d.camera.spare = shot
}

// blank is a picture to be filled whole.
func (c *camera) blank(width, height int) *image.RGBA {
	shot := c.spare
	c.spare = nil
	if area := image.Rect(0, 0, width, height); shot == nil || shot.Rect != area {
		return image.NewRGBA(area)
	}
	return shot
}

// Screenshot implements guirun.Desktop.
func (d *Display) Screenshot(ctx context.Context) (*image.RGBA, error) {
	c := &d.camera
	c.mu.Lock()
	defer c.mu.Unlock()
	format, ok := d.pixels()
	if !ok {
		return nil, guirun.Faultf(guirun.ClassDisplay, "the display %s has pixels of %d bits, which cannot be read: use one of depth 24", d.name, d.screen.RootDepth)
	}
	for {
		screen, err := ask(ctx, d, xproto.GetGeometry(d.conn, xproto.Drawable(d.root)).Reply) // it may have another size by now
		if err != nil {
			return nil, err
		}
		shot, err := d.take(ctx, format, int(screen.Width), int(screen.Height))
		if !errors.Is(err, errResized) {
			return shot, err
		}
	}
}

var errResized = errors.New("the screen has another size")

func (d *Display) take(ctx context.Context, format pixels, width, height int) (*image.RGBA, error) {
	c := &d.camera
	size := format.stride(width) * height
	if c.tried < size {
		d.unshare()
		c.tried = size
		if err := d.share(ctx, size); err != nil {
			return nil, err
		}
	}
	var mismatch xproto.MatchError
	if c.major != 0 {
		const mark = 0xA55A5AA5
		putNumber(c.memory, mark)
		shot, refused, err := d.snap(ctx, width, height)
		switch {
		case err != nil:
			return nil, err
		case errors.As(refused, &mismatch):
			return nil, errResized
		case refused != nil:
			return nil, d.fault(refused)
		}
		if c.proven = c.proven || number(c.memory) != mark; c.proven {
			format.convert(shot, c.memory)
			return shot, nil
		}
		d.unshare()
	}
	type answer struct {
		is  *xproto.GetImageReply
		err error
	}
	asked := xproto.GetImage(d.conn, xproto.ImageFormatZPixmap, xproto.Drawable(d.root), 0, 0, uint16(width), uint16(height), 0xFFFFFFFF)
	got, err := ask(ctx, d, func() (answer, error) {
		is, err := asked.Reply()
		return answer{is, err}, nil
	})
	switch {
	case err != nil:
		return nil, err
	case errors.As(got.err, &mismatch):
		return nil, errResized
	case got.err != nil:
		return nil, d.fault(got.err)
	case len(got.is.Data) < size:
		return nil, guirun.Faultf(guirun.ClassDisplay, "the display %s gave a picture that is cut short", d.name)
	}
	shot := c.blank(width, height)
	format.convert(shot, got.is.Data)
	return shot, nil
}

// snap has the server write the screen into the shared memory, and makes a picture for it meanwhile. When ctx ends first, the memory is left to the server.
func (d *Display) snap(ctx context.Context, width, height int) (shot *image.RGBA, refused, err error) {
	const getImage, whole, pixmap = 4, 0xFFFFFFFF, 2
	c := &d.camera
	b := d.request(c.major, getImage, 32)
	putNumber(b[4:], uint32(d.root))
	putNumber(b[12:], uint32(width)|uint32(height)<<16)
	putNumber(b[16:], whole)
	b[20] = pixmap
	putNumber(b[24:], c.id)
	asked := d.post(b, true)
	shot = c.blank(width, height)
	written := make(chan struct{})
	refused, err = ask(ctx, d, func() (error, error) {
		defer close(written)
		_, refused := asked.Reply()
		return refused, nil
	})
	if err != nil {
		memory := c.memory
		c.memory, c.major, c.tried = nil, 0, 0
		go func() {
			<-written
			unix.SysvShmDetach(memory)
		}()
	}
	return shot, refused, err
}

// share makes memory for pictures; a server without the extension, or on another machine, gives none.
func (d *Display) share(ctx context.Context, size int) error {
	const attach, name = 1, "MIT-SHM"
	if d.wire.RemoteAddr().Network() != "unix" {
		return nil
	}
	reply, err := ask(ctx, d, xproto.QueryExtension(d.conn, uint16(len(name)), name).Reply)
	if err != nil || !reply.Present {
		return err
	}
	id, err := xproto.NewWindowId(d.conn)
	if err != nil {
		return d.fault(err)
	}
	segment, err := unix.SysvShmGet(unix.IPC_PRIVATE, size, unix.IPC_CREAT|0o600)
	if err != nil {
		return nil
	}
	// It goes when the last of the two who are attached has ended, however that comes.
	defer unix.SysvShmCtl(segment, unix.IPC_RMID, nil)
	memory, err := unix.SysvShmAttach(segment, 0, 0)
	if err != nil {
		return nil
	}
	b := d.request(reply.MajorOpcode, attach, 16)
	putNumber(b[4:], uint32(id))
	putNumber(b[8:], uint32(segment))
	cookie := d.conn.NewCookie(true, false)
	d.conn.NewRequest(b, cookie)
	if refused := do(ctx, d, cookie.Check); refused != nil {
		unix.SysvShmDetach(memory)
		if ctx.Err() != nil {
			d.camera.tried = 0
		}
		return ctx.Err()
	}
	c := &d.camera
	c.major, c.id, c.memory, c.proven = reply.MajorOpcode, uint32(id), memory, false
	return nil
}

// unshare gives the memory back; tried stays, so that it is not made again.
func (d *Display) unshare() {
	c := &d.camera
	if c.memory == nil {
		return
	}
	const detach = 2
	b := d.request(c.major, detach, 8)
	putNumber(b[4:], c.id)
	d.post(b, false)
	unix.SysvShmDetach(c.memory)
	c.memory, c.major = nil, 0
}

// closeCamera gives the memory back; the server has done so with its own when the connection ended.
func (d *Display) closeCamera() {
	d.camera.mu.Lock()
	defer d.camera.mu.Unlock()
	if d.camera.memory != nil {
		unix.SysvShmDetach(d.camera.memory)
		d.camera.memory, d.camera.major = nil, 0
	}
}

// pixels is how the screen's pixels are written.
type pixels struct {
	bytes, pad       int // of a pixel; of a row, in bits
	red, green, blue uint32
}

func (d *Display) pixels() (p pixels, ok bool) {
	setup := xproto.Setup(d.conn)
	for _, f := range setup.PixmapFormats {
		if f.Depth == d.screen.RootDepth {
			p.bytes, p.pad = int(f.BitsPerPixel)/8, int(f.ScanlinePad)
		}
	}
	for _, depth := range d.screen.AllowedDepths {
		for _, v := range depth.Visuals {
			if v.VisualId == d.screen.RootVisual {
				p.red, p.green, p.blue = v.RedMask, v.GreenMask, v.BlueMask
			}
		}
	}
	ok = (p.bytes == 2 || p.bytes == 4) && p.red != 0 && p.green != 0 && p.blue != 0 && setup.ImageByteOrder == xproto.ImageOrderLSBFirst
	return p, ok
}

func (p pixels) stride(width int) int { return (width*p.bytes*8 + p.pad - 1) / p.pad * p.pad / 8 }

// convert writes rows of pixels into a picture.
func (p pixels) convert(to *image.RGBA, from []byte) {
	width, height, stride := to.Rect.Dx(), to.Rect.Dy(), p.stride(to.Rect.Dx())
	if p.bytes == 4 && p.red == 0xFF0000 && p.green == 0xFF00 && p.blue == 0xFF { // nearly always
		// Two pixels at a time, by as many as there are processors.
		both := func(v uint64) uint64 {
			return v>>16&0x000000FF_000000FF | v&0x0000FF00_0000FF00 | v&0x000000FF_000000FF<<16 | 0xFF000000_FF000000
		}
		rows := func(y, end int) {
			for ; y < end; y++ {
				in, out := from[y*stride:y*stride+width*4], to.Pix[y*to.Stride:y*to.Stride+width*4]
				for len(in) >= 32 && len(out) >= 32 {
					binary.LittleEndian.PutUint64(out, both(binary.LittleEndian.Uint64(in)))
					binary.LittleEndian.PutUint64(out[8:], both(binary.LittleEndian.Uint64(in[8:])))
					binary.LittleEndian.PutUint64(out[16:], both(binary.LittleEndian.Uint64(in[16:])))
					binary.LittleEndian.PutUint64(out[24:], both(binary.LittleEndian.Uint64(in[24:])))
					in, out = in[32:], out[32:]
				}
				for ; len(in) >= 4; in, out = in[4:], out[4:] {
					out[0], out[1], out[2], out[3] = in[2], in[1], in[0], 0xFF
				}
			}
		}
		var done sync.WaitGroup
		parts := min(runtime.GOMAXPROCS(0), 4)
		for i := range parts {
			done.Go(func() { rows(height*i/parts, height*(i+1)/parts) })
		}
		done.Wait()
		return
	}
	part := func(v, mask uint32) byte {
		most := mask >> bits.TrailingZeros32(mask)
		return byte((v & mask) >> bits.TrailingZeros32(mask) * 255 / most)
	}
	for y := range height {
		for x := range width {
			i := y*stride + x*p.bytes
			v := uint32(from[i]) | uint32(from[i+1])<<8
			if p.bytes == 4 {
				v |= uint32(from[i+2])<<16 | uint32(from[i+3])<<24
			}
			o := to.PixOffset(x, y)
			to.Pix[o], to.Pix[o+1], to.Pix[o+2], to.Pix[o+3] = part(v, p.red), part(v, p.green), part(v, p.blue), 0xFF
		}
	}
}
