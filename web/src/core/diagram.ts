// The source of a diagram, before mermaid reads it.

const kept = "br|b|i|em|strong|u|s|sub|sup|code|small|p|ul|ol|li";

/**
 * The source with HTML tags as text, but for a few that format. Mermaid puts labels into the page to measure them;
 * the page's policy stops what is in them, but would have to complain.
 */
export function tame(source: string): string {
  return source.replace(new RegExp(`(?<!<)<(?=[/!?]?[a-z][a-z0-9:-]*[\\s/>=])(?!/?(?:${kept})\\s*/?>)`, "gi"), "#lt;");
}
