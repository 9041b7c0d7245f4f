// Graphemes and the terminal cells they take, in agreement with xterm's unicode-graphemes addon.

const segmenter = new Intl.Segmenter(undefined, { granularity: "grapheme" });

export function graphemes(text: string): string[] {
  if (/^[\x20-\x7e]*$/.test(text)) return text.split(""); // most lines, and segmenting is slow
  return Array.from(segmenter.segment(text), (part) => part.segment);
}

// East Asian wide and fullwidth blocks; emoji are found by their properties.
const wide =
  /^[\u1100-\u115f\u2329\u232a\u2e80-\u303e\u3041-\u33ff\u3400-\u4dbf\u4e00-\u9fff\ua000-\ua4cf\ua960-\ua97c\uac00-\ud7a3\uf900-\ufaff\ufe10-\ufe19\ufe30-\ufe6f\uff01-\uff60\uffe0-\uffe6\u{16fe0}-\u{18cff}\u{1aff0}-\u{1b2ff}\u{1f200}-\u{1f265}\u{20000}-\u{3fffd}]/u;

/** Cells of one grapheme: 0, 1 or 2. */
export function cellsOf(grapheme: string): number {
  if (/^[\x20-\x7e]$/.test(grapheme)) return 1;
  if (/^[\p{Mn}\p{Me}\p{Cf}\p{Cc}]+$/u.test(grapheme)) return 0;
  if (wide.test(grapheme) || grapheme.includes("\ufe0f")) return 2;
  if (/^\p{Emoji_Presentation}|^\p{Regional_Indicator}{2}/u.test(grapheme)) return 2;
  return 1;
}

/** A place in a terminal, from the row in which a text starts. */
export interface Place {
  row: number;
  column: number;
}

/** Where the cursor stands after units are written from `from` on, in a terminal `columns` wide. */
export function advance(from: Place, units: readonly string[], columns: number): Place {
  let { row, column } = from;
  for (const unit of units) {
    const width = cellsOf(unit);
    if (column + width > columns) {
      row++;
      column = 0;
    }
    column += width;
  }
  return { row, column };
}
