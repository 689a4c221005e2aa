/**
 * Translates a time in a log request into what guest agents accept: whole seconds since 1970, or an age such as `10m`.
 * Dates, which the API documents, are an error to them.
 *
 * @returns null for text that is neither
 */
export function logMoment(text: string): string | null {
  if (/^\d{1,12}(\.\d{1,9})?$/.test(text)) return String(Math.floor(Number(text)));
  if (/^(\d{1,6}[smhd]){1,4}$/.test(text)) return text;
  if (!/^\d{4}-\d{2}-\d{2}T/.test(text)) return null;
  const ms = Date.parse(text);
  return Number.isNaN(ms) || ms < 0 ? null : String(Math.floor(ms / 1000));
}
