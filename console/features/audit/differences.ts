/** One value of an entry's `before` and `after`, as text. */
export interface Difference {
  /** The value's path, such as `role` or `limits.vcpu`; empty if the whole is one value. */
  key: string;
  /** Null if it didn't exist. */
  before: string | null;
  after: string | null;
}

const DEEPEST = 4;

/** Identifying fields come first; the stored order of the rest is by length. */
const FIRST = ['name', 'username', 'email', 'role', 'status', 'revision'];
const rank = (key: string) => (FIRST.includes(key) ? FIRST.indexOf(key) : FIRST.length);
const inOrder = (a: Difference, b: Difference) =>
  rank(a.key) - rank(b.key) || (a.key < b.key ? -1 : Number(a.key > b.key));

/** Lists changed values first, then unchanged ones, each in alphabetical order after the name. */
export function differences(before: unknown, after: unknown): Difference[] {
  const was = new Map(flat('', before, 0));
  const is = new Map(flat('', after, 0));
  const all = [...new Set([...was.keys(), ...is.keys()])].map((key) => ({
    key,
    before: was.get(key) ?? null,
    after: is.get(key) ?? null,
  }));
  const sorted = all.toSorted(inOrder);
  return [...sorted.filter(isChange), ...sorted.filter((one) => !isChange(one))];
}

export const isChange = ({ before, after }: Difference): boolean => before !== after;

function flat(path: string, value: unknown, depth: number): [string, string][] {
  if (value === undefined || (value === null && path === '')) return [];
  if (isRecord(value) && depth < DEEPEST && Object.keys(value).length > 0)
    return Object.entries(value).flatMap(([key, item]) =>
      flat(path === '' ? key : `${path}.${key}`, item, depth + 1),
    );
  return [[path, textOf(value)]];
}

function textOf(value: unknown): string {
  if (typeof value === 'string') return value === '' ? '""' : value;
  if (value === null) return 'none';
  if (Array.isArray(value) && value.every((item) => typeof item !== 'object'))
    return value.length === 0 ? 'none' : value.map(String).join(', ');
  return typeof value === 'object' ? JSON.stringify(value, null, 2) : String(value);
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
