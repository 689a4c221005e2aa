/**
 * One line of CSV (RFC 4180). A cell that a spreadsheet would take for a formula begins with an apostrophe instead:
 * what people name their things must not run on the machine of who opens the file.
 */
export const csvLine = (cells: readonly (string | number | null)[]): string =>
  `${cells.map(cell).join(',')}\r\n`;

function cell(value: string | number | null): string {
  if (value === null) return '';
  if (typeof value === 'number') return String(value);
  // Some take full-width signs for the same; an amount below zero is a number and stays one.
  const formula = /^[=+\-@\t\r\n＝＋－＠]/.test(value) && !/^-\d+(\.\d+)?$/.test(value);
  const safe = formula ? `'${value}` : value;
  return /[",\r\n']/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
