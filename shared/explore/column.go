package explore

// column is a list that grows by pieces. What is in it is never copied, so that it takes no more memory than it holds:
// a search that goes to the bound of memory must not need twice as much on the way.
type column[T any] struct {
	pieces [][]T
	n      int
}

// pieceBits is the size of a piece, as a power of two.
const pieceBits = 14

func (c *column[T]) at(i int) T { return c.pieces[i>>pieceBits][i&(1<<pieceBits-1)] }

func (c *column[T]) add(v T) {
	last := c.n >> pieceBits
	switch {
	case last < len(c.pieces):
	case last == 0:
		c.pieces = append(c.pieces, nil) // most are small
	default:
		c.pieces = append(c.pieces, make([]T, 0, 1<<pieceBits))
	}
	c.pieces[last] = append(c.pieces[last], v)
	c.n++
}

// room is how many elements there is memory for.
func (c *column[T]) room() (n int) {
	for _, p := range c.pieces {
		n += cap(p)
	}
	return n
}
