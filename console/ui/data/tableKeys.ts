/** Returns the row to focus after a key such as j or k in a list of `rows` rows; null for other keys. */
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

/** Reads a stored choice: `+id` is always shown, `-id` never; any other column keeps its default. */
function choiceOf(stored: string) {
  const parts = stored.split(',');
  const marked = (mark: string) =>
    new Set(parts.filter((part) => part.startsWith(mark)).map((part) => part.slice(1)));
  return { shown: marked('+'), hidden: marked('-') };
}

/** Returns the visible columns, always including the first, which names the row. '' means the defaults. */
export function visibleColumns<C extends { id: string; defaultHidden?: boolean }>(
  columns: readonly C[],
  stored: string,
): C[] {
  const { shown, hidden } = choiceOf(stored);
  return columns.filter(
    ({ id, defaultHidden }, i) => i === 0 || shown.has(id) || (!hidden.has(id) && defaultHidden !== true),
  );
}

/** Whether the user chose to show this column, so that a narrow table must not hide it. */
export const isPinned = (stored: string, id: string): boolean => choiceOf(stored).shown.has(id);

/** Adds one column's choice to the stored choices. */
export function chooseColumn(stored: string, id: string, show: boolean): string {
  const others = stored.split(',').filter((part) => part !== '' && part.slice(1) !== id);
  return [...others, `${show ? '+' : '-'}${id}`].join(',');
}

/**
 * Returns the choice that shows exactly these columns; null if none of them exists. Default columns are still
 * hidden if there is no space, unless marked with `+`.
 */
export function chooseColumns<C extends { id: string; defaultHidden?: boolean }>(
  columns: readonly C[],
  ids: readonly string[],
): string | null {
  const wanted = new Set(ids.map((id) => id.replace(/^\+/, '')));
  if (!columns.some(({ id }) => wanted.has(id))) return null;
  return columns
    .flatMap(({ id, defaultHidden }) => {
      if (!wanted.has(id)) return `-${id}`;
      return defaultHidden === true || ids.includes(`+${id}`) ? `+${id}` : [];
    })
    .join(',');
}

/** Returns the visible columns in the format `chooseColumns` reads. */
export const chosenColumns = <C extends { id: string; defaultHidden?: boolean }>(
  columns: readonly C[],
  choice: string,
): string =>
  visibleColumns(columns, choice)
    .map(({ id, defaultHidden }) => (defaultHidden !== true && isPinned(choice, id) ? `+${id}` : id))
    .join(',');
