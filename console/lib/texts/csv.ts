/**
 * Formats one line of CSV (RFC 4180). A cell a spreadsheet would treat as a formula gets a leading
 * apostrophe: user-supplied names must not execute on the computer that opens the file.
 */
export const csvLine = (cells: readonly (string | number | null)[]): string =>
  `${cells.map(cell).join(',')}\r\n`;

function cell(value: string | number | null): string {
  if (value === null) return '';
  if (typeof value === 'number') return String(value);
  // Some spreadsheets also accept full-width signs. A negative amount is a number and stays one.
  const formula = /^[=+\-@\t\r\n＝＋－＠]/.test(value) && !/^-\d+(\.\d+)?$/.test(value);
  const safe = formula ? `'${value}` : value;
  return /[",\r\n']/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
