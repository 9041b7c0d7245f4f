package guirun

import (
	"context"
	"errors"
	"image"
	"testing"
)

// screenDesk has a white screen, and a list of windows for each time that it is asked; the last one stays.
type screenDesk struct {
	Desktop
	lists [][]Window
	err   error
	asked int
}

func (d *screenDesk) Windows(context.Context) ([]Window, error) {
	list := d.lists[min(d.asked, len(d.lists)-1)]
	d.asked++
	return list, d.err
}

func (d *screenDesk) Screenshot(context.Context) (*image.RGBA, error) {
	shot := image.NewRGBA(image.Rect(0, 0, 100, 80))
	for i := range shot.Pix {
		shot.Pix[i] = 0xFF
	}
	return shot, nil
}

// hidden is the smallest rectangle around what is covered, and how many pixels are.
func hidden(shot *image.RGBA) (area image.Rectangle, count int) {
	for y := range 80 {
		for x := range 100 {
			if r, _, _, _ := shot.At(x, y).RGBA(); r != 0xFFFF {
				area = area.Union(image.Rect(x, y, x+1, y+1))
				count++
			}
		}
	}
	return area, count
}

func TestPicturesHideSecrets(t *testing.T) {
	const value = "open sesame"
	framed := func(id WindowID, title string, at image.Point) Window {
		frame := image.Rect(0, 0, 40, 30).Add(at)
		area := frame
		area.Min.Y += 10
		area.Min.X++
		area.Max.X--
		area.Max.Y--
		return Window{ID: id, Title: title, Area: area, Frame: frame}
	}
	bare := Window{ID: 3, Title: value, Area: image.Rect(50, 40, 60, 60), Frame: image.Rect(50, 40, 60, 60)}
	here, there := image.Pt(5, 5), image.Pt(25, 5)
	minimised := framed(1, "note", here)
	minimised.Minimised = true
	for name, c := range map[string]struct {
		typed         WindowID
		before, after []Window
		want          image.Rectangle
	}{
		"nothing to hide":               {0, []Window{framed(1, "note", here)}, nil, image.Rectangle{}},
		"title":                         {0, []Window{framed(1, "a "+value+" b", here)}, nil, image.Rect(5, 5, 45, 15)},
		"title, encoded":                {0, []Window{framed(1, "b3BlbiBzZXNhbWU=", here)}, nil, image.Rect(5, 5, 45, 15)},
		"title, no decorations":         {0, []Window{bare}, nil, bare.Area},
		"typed into":                    {1, []Window{framed(1, "note", here), framed(2, "other", image.Pt(50, 50))}, nil, image.Rect(5, 5, 45, 35)},
		"typed into, gone meanwhile":    {1, []Window{framed(1, "note", here)}, []Window{}, image.Rect(5, 5, 45, 35)},
		"typed into, come meanwhile":    {1, []Window{}, []Window{framed(1, "note", here)}, image.Rect(5, 5, 45, 35)},
		"typed into, moved meanwhile":   {1, []Window{framed(1, "note", here)}, []Window{framed(1, "note", there)}, image.Rect(5, 5, 65, 35)},
		"typed into, minimised":         {1, []Window{minimised}, nil, image.Rectangle{}},
		"typed into, restored just now": {1, []Window{minimised}, []Window{framed(1, "note", here)}, image.Rect(5, 5, 45, 35)},
		"title changed meanwhile":       {0, []Window{framed(1, value, here)}, []Window{framed(1, "note", here)}, image.Rect(5, 5, 45, 15)},
		"title come meanwhile":          {0, []Window{framed(1, "note", here)}, []Window{framed(1, value, here)}, image.Rect(5, 5, 45, 15)},
		"partly off the screen":         {1, []Window{framed(1, "note", image.Pt(-10, 60))}, nil, image.Rect(0, 60, 30, 80)},
		"off the screen":                {1, []Window{framed(1, "note", image.Pt(-100, 60))}, nil, image.Rectangle{}},
	} {
		t.Run(name, func(t *testing.T) {
			secrets, err := NewSecrets([]string{secretPrefix + "PASS=" + value})
			if err != nil {
				t.Fatal(err)
			}
			lists := [][]Window{c.before}
			if c.after != nil {
				lists = append(lists, c.after)
			}
			r := &run{Options: Options{Secrets: secrets}, desk: &screenDesk{lists: lists}, secretIn: map[WindowID]bool{c.typed: c.typed != 0}}
			shot, err := r.shot(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			if area, count := hidden(shot); area != c.want || count != c.want.Dx()*c.want.Dy() {
				t.Errorf("hidden are %d pixels in %v, want all of %v", count, area, c.want)
			}
		})
	}
}

func TestPictureWithoutWindowsIsHiddenWhole(t *testing.T) {
	secrets, _ := NewSecrets([]string{secretPrefix + "PASS=open sesame"})
	r := &run{Options: Options{Secrets: secrets}, desk: &screenDesk{lists: [][]Window{nil}, err: errors.New("no answer")}}
	shot, err := r.shot(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if _, count := hidden(shot); count != 100*80 {
		t.Errorf("%d pixels are hidden, want all 8000", count)
	}
}

// Without secrets a picture costs no listing of windows.
func TestPictureWithoutSecretsAsksNothing(t *testing.T) {
	desk := &screenDesk{lists: [][]Window{nil}}
	r := &run{desk: desk}
	if shot, err := r.shot(t.Context()); err != nil || desk.asked != 0 {
		t.Errorf("asked for windows %d times, error %v", desk.asked, err)
	} else if _, count := hidden(shot); count != 0 {
		t.Errorf("%d pixels are hidden", count)
	}
}

func (d *screenDesk) Recycle(*image.RGBA) {}
