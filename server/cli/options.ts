import { parseArgs, type ParseArgsConfig } from 'node:util';
import { UsageError } from './io';
import { ownValue } from '../../console/lib/ownValue';

/** `value` options take an argument, `flag` options don't. */
type Kinds = Record<string, 'value' | 'flag'>;

export type Options<K extends Kinds> = { [N in keyof K]: K[N] extends 'flag' ? boolean : string | undefined };

/** Parses `--name value`, `--name=value` and flags; anything else is a usage error. */
export function parseOptions<const K extends Kinds>(args: string[], kinds: K): Options<K> {
  const options: NonNullable<ParseArgsConfig['options']> = {};
  for (const [name, kind] of Object.entries(kinds))
    options[name] = { type: kind === 'flag' ? 'boolean' : 'string' };
  let values: Record<string, unknown>;
  try {
    ({ values } = parseArgs({ args, options, strict: true, allowPositionals: false }));
  } catch (error) {
    throw new UsageError(error instanceof Error ? (error.message.split('. ')[0] ?? '') : String(error));
  }
  const found: Record<string, unknown> = {};
  for (const [name, kind] of Object.entries(kinds))
    found[name] = ownValue(values, name) ?? (kind === 'flag' ? false : undefined);
  return found as Options<K>;
}

export function required(value: string | undefined, name: string): string {
  if (value === undefined || value.trim() === '') throw new UsageError(`--${name} is missing.`);
  return value.trim();
}

export function wholeNumber(
  value: string | undefined,
  name: string,
  min: number,
  max: number,
): number | undefined {
  if (value === undefined) return undefined;
  const number = Number(value);
  if (!/^\d+$/.test(value) || number < min || number > max)
    throw new UsageError(`--${name} must be a whole number from ${min} to ${max}.`);
  return number;
}
