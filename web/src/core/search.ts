// Searching the catalog.

/** Whether each word of a query begins a word of the text, without regard to case and accents. */
export function found(query: string, text: string): boolean {
  const words = fold(text).split(/[^\p{L}\p{N}]+/u);
  return fold(query).split(/[^\p{L}\p{N}]+/u).every((part) => words.some((word) => word.startsWith(part)));
}

function fold(text: string): string {
  return text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();
}
