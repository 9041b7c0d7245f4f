package worldtest

import (
	"context"
	"time"
)

// clock is a time that stands still but for waits, which pass at once. What is due meanwhile happens, in its order.
type clock struct {
	began, now time.Time
	due        []*due
}

type due struct {
	at time.Time
	do func()
}

func newClock() *clock {
	at := time.Date(2026, 1, 1, 12, 0, 0, 0, time.UTC)
	return &clock{began: at, now: at}
}

// in lets something happen after a while; forget takes it back.
func (c *clock) in(d time.Duration, do func()) (forget func()) {
	entry := &due{c.now.Add(d), do}
	at := len(c.due)
	for at > 0 && c.due[at-1].at.After(entry.at) {
		at--
	}
	c.due = append(c.due[:at], append([]*due{entry}, c.due[at:]...)...)
	return func() { entry.do = func() {} }
}

func (c *clock) Now() time.Time { return c.now }

func (c *clock) Wait(ctx context.Context, d time.Duration, wake <-chan struct{}) error {
	for end := c.now.Add(d); ; {
		if err := ctx.Err(); err != nil {
			return err
		}
		select {
		case <-wake:
			return nil
		default:
		}
		if len(c.due) == 0 || c.due[0].at.After(end) {
			c.now = end
			return nil
		}
		next := c.due[0]
		c.due = c.due[1:]
		c.now = next.at
		next.do()
	}
}

func (c *clock) Limit(ctx context.Context, d time.Duration, cause error) (context.Context, context.CancelFunc) {
	within, cancel := context.WithCancelCause(ctx)
	forget := c.in(d, func() { cancel(cause) })
	return within, func() {
		forget()
		cancel(context.Canceled)
	}
}
