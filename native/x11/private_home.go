package x11

import (
	"crypto/rand"
	"encoding/binary"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

const (
	cookieScheme = "MIT-MAGIC-COOKIE-1"
	cookieFile   = "Xauthority"
)

// furnish makes the folder of the desktop, with home and cookie, and the environment.
func (p *Private) furnish(environ []string, accessibility bool) (err error) {
	if p.dir, err = os.MkdirTemp("", "asz-desktop-"); err != nil {
		return err
	}
	if err := p.guard.Remove(p.dir); err != nil {
		return err
	}
	// The longest name in it that programs make a socket of is runtime/at-spi/bus_99999.
	if most := 107 - len("/runtime/at-spi/bus_99999"); len(p.dir) > most {
		return fmt.Errorf("%s is too long a name for sockets in it: set TMPDIR to a shorter one", p.dir)
	}
	p.Home = filepath.Join(p.dir, "home")
	for _, dir := range []string{p.Home, p.runtime()} {
		if err := os.Mkdir(dir, 0o700); err != nil {
			return err
		}
	}
	p.cookie = make([]byte, 16)
	rand.Read(p.cookie)
	if err := os.WriteFile(filepath.Join(p.dir, cookieFile), authorityEntry(p.cookie), 0o600); err != nil {
		return err
	}
	set := map[string]string{
		"HOME": p.Home, "XDG_RUNTIME_DIR": p.runtime(), "DBUS_SESSION_BUS_ADDRESS": p.busAddress(), "XAUTHORITY": filepath.Join(p.dir, cookieFile),
		"ASZ_RUN": p.guard.Token(), "XDG_SESSION_TYPE": "x11", "GDK_BACKEND": "x11", "QT_QPA_PLATFORM": "xcb",
		// Input methods are programs of the user's own desktop.
		"GTK_IM_MODULE": "gtk-im-context-simple", "QT_IM_MODULE": "simple",
		"GVFS_DISABLE_FUSE": "1", // a mounted folder could not be removed
	}
	if !accessibility {
		set["NO_AT_BRIDGE"] = "1"
	}
	if !slices.ContainsFunc(environ, isLocale) {
		set["LANG"] = "C.UTF-8" // without one, programs take text for ASCII
	}
	p.Env = environment(environ, set)
	return nil
}

func (p *Private) runtime() string { return filepath.Join(p.dir, "runtime") }

func (p *Private) busAddress() string { return "unix:path=" + p.runtime() + "/bus" }

func isLocale(entry string) bool {
	name, value, _ := strings.Cut(entry, "=")
	return value != "" && (name == "LC_ALL" || name == "LC_CTYPE" || name == "LANG")
}

// authorityEntry is a file of authority whose cookie is for any display.
func authorityEntry(cookie []byte) []byte {
	const anyFamily = 0xFFFF
	b := binary.BigEndian.AppendUint16(nil, anyFamily)
	for _, field := range []string{"", "", cookieScheme, string(cookie)} {
		b = binary.BigEndian.AppendUint16(b, uint16(len(field)))
		b = append(b, field...)
	}
	return b
}

// environment is an environment without what tells of the desktop that this process runs on, and with some variables set.
func environment(of []string, with map[string]string) []string {
	out := slices.DeleteFunc(slices.Clone(of), func(entry string) bool {
		name, _, _ := strings.Cut(entry, "=")
		_, changed := with[name]
		return changed || slices.Contains([]string{
			"DISPLAY", "WAYLAND_DISPLAY", "WAYLAND_SOCKET", "XAUTHORITY", "ICEAUTHORITY", "SESSION_MANAGER", "WINDOWID", "DESKTOP_STARTUP_ID",
			"XDG_ACTIVATION_TOKEN", "XDG_CURRENT_DESKTOP", "XDG_SESSION_DESKTOP", "XDG_SESSION_ID", "XDG_SEAT", "XDG_VTNR", "DESKTOP_SESSION",
			"XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_CACHE_HOME", "XDG_STATE_HOME", "DBUS_STARTER_ADDRESS", "DBUS_STARTER_BUS_TYPE",
			"AT_SPI_BUS_ADDRESS", "NO_AT_BRIDGE", "QT_LINUX_ACCESSIBILITY_ALWAYS_ON", "MOZ_ENABLE_WAYLAND", "SDL_VIDEODRIVER", "CLUTTER_BACKEND",
			"XMODIFIERS",
		}, name)
	})
	for name, value := range with {
		out = append(out, name+"="+value)
	}
	slices.Sort(out)
	return out
}
