package guirun

import (
	"context"
	"time"
)

// Clock is the time that a run lives in.
type Clock interface {
	Now() time.Time

	// Wait returns nil after d or as soon as wake is closed, and ctx's error when that ends first. A nil wake is never
	// closed.
	Wait(ctx context.Context, d time.Duration, wake <-chan struct{}) error

	// Limit is ctx ended after d, with a cause.
	Limit(ctx context.Context, d time.Duration, cause error) (context.Context, context.CancelFunc)
}

// RealClock is the machine's.
func RealClock() Clock { return realClock{} }

type realClock struct{}

func (realClock) Now() time.Time { return time.Now() }

func (realClock) Wait(ctx context.Context, d time.Duration, wake <-chan struct{}) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
	case <-wake:
	case <-ctx.Done():
		return ctx.Err()
	}
	return nil
}

func (realClock) Limit(ctx context.Context, d time.Duration, cause error) (context.Context, context.CancelFunc) {
	return context.WithTimeoutCause(ctx, d, cause)
}
