/**
 * Returns the value of a counter in Prometheus's text format, summed over its labels; null if it isn't there. A last line
 * without its end may be cut off and doesn't count.
 */
export function readCounter(text: string, name: string): number | null {
  const line = new RegExp(`^${name}(?:\\{[^}\\n]*\\})? (\\d{1,15})(?:\\.0+)?(?: \\d+)?\\r?\\n`, 'gm');
  const values = [...text.matchAll(line)].map(([, digits]) => Number(digits));
  return values.length === 0 ? null : values.reduce((sum, value) => sum + value, 0);
}
