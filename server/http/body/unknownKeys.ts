import { ownValue } from '../../../console/lib/ownValue';
import type { OperationSpec } from '../../../generated/api/operations.gen';
import { ValidationProblem } from '../errors';

export const IGNORED_KEYS_HEADER = 'X-Ignored-Keys';
const MAX_NAMES = 20;
const MAX_NAME_LENGTH = 64;
const MAX_DEPTH = 8;

type Issues = ConstructorParameters<typeof ValidationProblem>[0];

/**
 * Rejects keys that request unsupported behavior: the document's `x-refused-keys`. Null means absent.
 */
export function refuseKeys({ refusedKeys }: Pick<OperationSpec, 'refusedKeys'>, body: unknown): void {
  const issues: Issues = [];
  for (const [path, { unless, reason }] of Object.entries(refusedKeys)) {
    const parts = path.split('.');
    const value = parts.reduce<unknown>((at, part) => (isRecord(at) ? ownValue(at, part) : undefined), body);
    if (value === undefined || value === null) continue;
    if (unless.some((allowed) => JSON.stringify(allowed) === JSON.stringify(value))) continue;
    issues.push({
      loc: ['body', ...parts],
      msg: `${path} isn't supported here. ${reason}`,
      type: 'refused_key',
    });
  }
  if (issues.length > 0) throw new ValidationProblem(issues);
}

/**
 * Returns the keys of `given` that its schema stripped, at most 21 of them, with dots between levels. Null means absent,
 * so it isn't a key.
 */
export function strippedKeys(given: unknown, parsed: unknown): string[] {
  const names: string[] = [];
  const walk = (from: unknown, kept: unknown, path: string, depth: number): void => {
    if (depth > MAX_DEPTH) return;
    if (Array.isArray(from) && Array.isArray(kept)) {
      for (const [index, item] of from.entries()) {
        if (names.length > MAX_NAMES) return;
        walk(item, kept[index], `${path}[${index}]`, depth + 1);
      }
    } else if (isRecord(from) && isRecord(kept)) {
      for (const [key, value] of Object.entries(from)) {
        if (names.length > MAX_NAMES) return;
        if (value === null) continue;
        const own = key === '' ? '""' : key;
        const name = path === '' ? own : `${path}.${own}`;
        if (!Object.hasOwn(kept, key)) names.push(name);
        else walk(value, ownValue(kept, key), name, depth + 1);
      }
    }
  };
  walk(given, parsed, '', 0);
  return names;
}

/**
 * Returns the value of X-Ignored-Keys: up to 20 names, each cut to 64 characters, and `...` if there are more. Undefined
 * if nothing was ignored.
 * @throws ValidationProblem that names them where unknown keys are refused
 */
export function ignoredKeys(
  { unknownKeys, ignoredKeys: expected }: Pick<OperationSpec, 'unknownKeys' | 'ignoredKeys'>,
  given: unknown,
  parsed: unknown,
): string | undefined {
  if (unknownKeys === null) return undefined;
  const names = strippedKeys(given, parsed).filter((name) => !expected.includes(name));
  if (names.length === 0) return undefined;
  const shown = names.slice(0, MAX_NAMES).map(printable);
  if (unknownKeys === 'refuse')
    throw new ValidationProblem(
      shown.map((name) => ({
        loc: ['body', name],
        msg: `This server doesn't know the key ${name}. Leave it out, or correct its name.`,
        type: 'unknown_key',
      })),
    );
  return [...shown, ...(names.length > MAX_NAMES ? ['...'] : [])].join(', ');
}

/** Headers hold visible ASCII; commas separate the names. */
const printable = (name: string) => name.slice(0, MAX_NAME_LENGTH).replace(/[^\x21-\x2b\x2d-\x7e]/g, '?');

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
