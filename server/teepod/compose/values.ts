/** Small readers of Compose values. Each throws ComposeError with the location in the file. */
import { ComposeError, isYamlMap, type Yaml, type YamlMap } from './yaml';

export function refuse(where: string, why: string): never {
  throw new ComposeError(`${where}: ${why}`);
}

/** Never quotes part of a long value: the part would escape redaction. */
export const quoted = (value: string): string =>
  value.length <= 80 ? `"${value}"` : `a value of ${value.length} characters`;

export function text(value: Yaml, where: string): string {
  return typeof value === 'string' ? value : refuse(where, 'must be a string');
}

export function flag(value: Yaml, where: string): boolean {
  if (value === 'true' || value === 'True' || value === 'TRUE') return true;
  if (value === 'false' || value === 'False' || value === 'FALSE') return false;
  return refuse(where, 'must be true or false');
}

export function integer(value: Yaml, where: string, min: number, max: number): number {
  const raw = text(value, where);
  const number = /^-?\d+$/.test(raw) ? Number(raw) : Number.NaN;
  return number >= min && number <= max
    ? number
    : refuse(where, `must be a whole number from ${min} to ${max}`);
}

export function decimal(value: Yaml, where: string): number {
  const raw = text(value, where);
  return /^\d*\.?\d+$/.test(raw) ? Number(raw) : refuse(where, 'must be a number');
}

export function map(value: Yaml, where: string): YamlMap {
  return isYamlMap(value) ? value : refuse(where, 'must be a mapping');
}

export function list(value: Yaml, where: string): Yaml[] {
  return Array.isArray(value) ? value : refuse(where, 'must be a list');
}

export function texts(value: Yaml, where: string): string[] {
  return list(value, where).map((item, index) => text(item, `${where}[${index}]`));
}

export function textOrTexts(value: Yaml, where: string): string[] {
  return typeof value === 'string' ? [value] : texts(value, where);
}

const UNITS: Record<string, number> = {
  '': 1,
  b: 1,
  k: 2 ** 10,
  kb: 2 ** 10,
  m: 2 ** 20,
  mb: 2 ** 20,
  g: 2 ** 30,
  gb: 2 ** 30,
};

/** `512m`, `1.5gb`, plain bytes → bytes. */
export function bytes(value: Yaml, where: string): number {
  const match = /^(\d+(?:\.\d+)?)\s*([a-z]*)$/i.exec(text(value, where));
  const name = (match?.[2] ?? '').toLowerCase();
  const unit = match && Object.hasOwn(UNITS, name) ? UNITS[name] : undefined;
  return match && unit
    ? Math.floor(Number(match[1]) * unit)
    : refuse(where, 'must be a size such as 512m or 1g');
}

/** Validates a Compose duration (`1m30s`) and returns it unchanged. */
export function duration(value: Yaml, where: string): string {
  const raw = text(value, where);
  return /^(\d+(\.\d+)?(us|ms|s|m|h))+$/.test(raw) || raw === '0'
    ? raw
    : refuse(where, 'must be a duration such as 30s');
}

/** Rejects keys outside `known`: an option this program doesn't understand never reaches the engine. */
export function onlyKeys(value: YamlMap, where: string, known: readonly string[]): void {
  for (const key of Object.keys(value)) {
    if (!known.includes(key) && !key.startsWith('x-')) refuse(`${where}.${key}`, NOT_SUPPORTED);
  }
}

export const NOT_SUPPORTED =
  'not supported by the local teepod, which allows only options known to be safe on a shared machine';
