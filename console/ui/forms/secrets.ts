/** Rules of the secrets table, without React. */

export interface SecretRow {
  /** Stable during editing; never sent. */
  id: string;
  key: string;
  value: string;
  /** Already set. The console can't read it back: `value` counts only if `replaced`. */
  kept?: boolean;
  replaced?: boolean;
  /** The current value, known from the user's vault copy. */
  original?: string;
  /** The value generated in this browser. Nobody else has seen it, so it must be copied before it is sealed. */
  generated?: string;
}

let last = 0;
export const newRow = (key = '', value = ''): SecretRow => ({ id: `row-${(last += 1)}`, key, value });

/** Returns the rows whose value is still the generated one. */
export const generatedRows = (rows: readonly SecretRow[]): SecretRow[] =>
  rows.filter(({ value, generated }) => value !== '' && value === generated);

/** POSIX "Environment Variable Definition": letters, digits and underscore, not starting with a digit. */
export function keyFault(key: string): string | undefined {
  if (key === '') return 'Enter a name';
  if (/^\d/.test(key)) return 'Names can’t start with a digit';
  if (!/^[A-Za-z_][A-Za-z0-9_]*$/.test(key)) return 'Use letters, digits and underscores only';
  return undefined;
}

/** One message per invalid row. A completely empty row is valid, because it isn't sent. */
export function rowFaults(
  rows: readonly SecretRow[],
  check: (key: string) => string | undefined = keyFault,
): Map<string, string> {
  const faults = new Map<string, string>();
  const first = new Map<string, number>();
  rows.forEach((row, i) => {
    if (row.key === '' && row.value === '') return;
    const fault = check(row.key);
    const earlier = first.get(row.key);
    if (fault !== undefined) faults.set(row.id, fault);
    else if (earlier !== undefined) faults.set(row.id, `Same name as row ${earlier + 1}: keep one`);
    else first.set(row.key, i);
  });
  return faults;
}

export interface MergeLine {
  key: string;
  value: string;
  kind: 'added' | 'changed' | 'same';
}

/** Previews a paste. The last of equal names wins, as in a .env file. */
export function planMerge(
  rows: readonly SecretRow[],
  pasted: readonly { key: string; value: string }[],
): MergeLine[] {
  const current = new Map(rows.map((row) => [row.key, row]));
  const wanted = new Map(pasted.map(({ key, value }) => [key, value]));
  return [...wanted].map(([key, value]) => {
    const row = current.get(key);
    if (!row) return { key, value, kind: 'added' };
    const unknown = row.kept === true && row.replaced !== true;
    return { key, value, kind: !unknown && row.value === value ? 'same' : 'changed' };
  });
}

/** Applies the chosen lines: changed rows keep their place, new ones go to the end, empty rows are removed. */
export function merge(rows: readonly SecretRow[], lines: readonly MergeLine[]): SecretRow[] {
  const wanted = new Map(lines.filter((line) => line.kind !== 'same').map((line) => [line.key, line.value]));
  const kept = rows
    .filter((row) => row.key !== '' || row.value !== '')
    .map((row) => {
      const value = wanted.get(row.key);
      if (value === undefined) return row;
      wanted.delete(row.key);
      return row.kept ? { ...row, value, replaced: true } : { ...row, value };
    });
  return [...kept, ...[...wanted].map(([key, value]) => newRow(key, value))];
}

/** Whether text pasted into a name field is a whole file, or a single `KEY=value`. */
export const looksLikeEnvFile = (text: string) => /^\s*(export\s+)?[A-Za-z_][A-Za-z0-9_]*\s*=/m.test(text);
