/** One value of an entry's `before` and `after`, as text. */
export interface Difference {
  /** Its path, such as `role` or `limits.vcpu`; empty if the whole is one value. */
  key: string;
  /** Null if it didn't exist. */
  before: string | null;
  after: string | null;
}

const DEEPEST = 4;

/** Lists changed values first, then unchanged ones, each in their original key order. */
export function differences(before: unknown, after: unknown): Difference[] {
  const was = new Map(flat('', before, 0));
  const is = new Map(flat('', after, 0));
  const all = [...new Set([...was.keys(), ...is.keys()])].map((key) => ({
    key,
    before: was.get(key) ?? null,
    after: is.get(key) ?? null,
  }));
  return [...all.filter(isChange), ...all.filter((one) => !isChange(one))];
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
