/** Where j, k and friends take the keyboard in a list of `rows` rows; null when the key is not ours. */
export function nextRow(key: string, current: number, rows: number): number | null {
  if (rows === 0) return null;
  switch (key) {
    case 'j':
      return Math.min(current + 1, rows - 1);
    case 'k':
      return current < 0 ? rows - 1 : Math.max(current - 1, 0);
    default:
      return null;
  }
}

/** The columns to draw: never without the first, which names the row. `stored` is what `toggleColumn` wrote; '' means the defaults. */
export function visibleColumns<C extends { id: string; defaultHidden?: boolean }>(
  columns: readonly C[],
  stored: string,
): C[] {
  if (stored === '') return columns.filter((column, i) => i === 0 || column.defaultHidden !== true);
  const hidden = new Set(
    stored
      .split(',')
      .filter((part) => part.startsWith('-'))
      .map((part) => part.slice(1)),
  );
  const shown = new Set(
    stored
      .split(',')
      .filter((part) => part.startsWith('+'))
      .map((part) => part.slice(1)),
  );
  // A column that came with a newer version is in neither set and keeps its default.
  return columns.filter(
    (column, i) =>
      i === 0 || shown.has(column.id) || (!hidden.has(column.id) && column.defaultHidden !== true),
  );
}

export function toggleColumn<C extends { id: string; defaultHidden?: boolean }>(
  columns: readonly C[],
  stored: string,
  id: string,
): string {
  const visible = new Set(visibleColumns(columns, stored).map((column) => column.id));
  return columns
    .map((column) => `${(column.id === id) !== visible.has(column.id) ? '+' : '-'}${column.id}`)
    .join(',');
}
