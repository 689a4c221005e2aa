/** A value of the wire as a cell of CSV: lists by spaces, what has parts as JSON, nothing as nothing. */
export function csvCell(value: unknown): string | number | null {
  if (value === null || value === undefined) return null;
  if (typeof value === 'number' || typeof value === 'string') return value;
  if (Array.isArray(value) && value.every((one) => typeof one === 'string' || typeof one === 'number'))
    return value.join(' ');
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}
