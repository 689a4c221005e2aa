/**
 * Formats an API value as a CSV cell: lists separated by spaces, objects as JSON, missing values as empty.
 */
export function csvCell(value: unknown): string | number | null {
  if (value === null || value === undefined) return null;
  if (typeof value === 'number' || typeof value === 'string') return value;
  if (Array.isArray(value) && value.every((one) => typeof one === 'string' || typeof one === 'number'))
    return value.join(' ');
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}
