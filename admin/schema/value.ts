import type { FieldDescription } from './types';
import { inSentence, words } from './labels';
import { formatGb, formatMb } from '../../console/lib/cvms/sizes';
import { TEE_NAMES } from '../../console/lib/hosts/tee';
import { ownValue } from '../../console/lib/ownValue';
import { counted } from '../../console/lib/texts/count';

/*
 * Converts field values between records, controls and requests, and validates them. The server validates again; this check
 * gives immediate feedback at the right input.
 */

/** Returns a control's value: text, or a boolean for switches. */
export function toControl(field: FieldDescription, value: unknown): string | boolean {
  if (field.type === 'boolean') return value === true;
  if (value === null || value === undefined) return '';
  if (field.type === 'list' && Array.isArray(value)) return value.join('\n');
  if (isStructure(field) && typeof value !== 'string') return JSON.stringify(value, null, 2);
  if (field.type === 'time' && typeof value === 'string') return localMinute(value);
  return String(value);
}

const NUMBERS: readonly string[] = ['integer', 'number', 'usage', 'megabytes', 'gigabytes'];

export const isNumeric = (field: FieldDescription) => NUMBERS.includes(field.type);

/** Returns the request value of an input: null if emptied and nullable, undefined if omitted. */
export function fromControl(field: FieldDescription, typed: string | boolean): unknown {
  if (typeof typed === 'boolean') return typed;
  // Secrets and long texts may start or end with a space deliberately.
  const text =
    field.type === 'secret' || field.type === 'long_text' || field.type === 'formatted'
      ? typed
      : typed.trim();
  if (text === '') {
    if (field.type === 'secret') return undefined;
    if (field.nullable) return null;
    return isText(field) && (field.minLength ?? 0) === 0 ? '' : undefined;
  }
  if (isNumeric(field)) return number(text);
  if (field.type === 'list')
    return text
      .split('\n')
      .map((line) => line.trim())
      .filter((line) => line !== '');
  if (field.type === 'time') return Number.isNaN(Date.parse(text)) ? text : new Date(text).toISOString();
  if (isStructure(field)) return parsed(text);
  return text;
}

/** Whether the field is edited as JSON. */
const isStructure = ({ type }: FieldDescription) => type === 'json';

const isText = (field: FieldDescription) =>
  ['text', 'long_text', 'formatted', 'mono', 'code'].includes(field.type);

/** Keeps invalid numbers as text, so that validation rejects them instead of sending NaN. */
function number(text: string): number | string {
  const value = Number(text);
  return Number.isFinite(value) ? value : text;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

const LISTS: ReadonlySet<FieldDescription['type']> = new Set(['list', 'slugs', 'rows']);

export const isList = ({ type }: Pick<FieldDescription, 'type'>) => LISTS.has(type);

/** Returns the error for a value from `fromControl`, or undefined. */
export function errorOf(field: FieldDescription, value: unknown): string | undefined {
  if (value === undefined || value === null || value === '') {
    return field.required && !(field.type === 'secret' || field.nullable)
      ? `${LISTS.has(field.type) ? 'Add' : 'Enter'} ${naming(field)}.`
      : undefined;
  }
  if (isNumeric(field)) return numberError(field, value);
  if (isStructure(field) && typeof value === 'string') return 'Enter valid JSON.';
  if (Array.isArray(value)) return itemsError(field, value);
  if (field.choices && !field.choices.includes(String(value))) return `Choose ${naming(field)}.`;
  return typeof value === 'string' ? textError(field, value) : undefined;
}

/** Returns the first error in a list. */
function itemsError({ type, columns }: FieldDescription, items: readonly unknown[]): string | undefined {
  if (type === 'list') return items.includes('') ? 'Fill in or remove empty entries.' : undefined;
  if (type !== 'rows') return undefined;
  for (const [index, item] of items.entries())
    for (const column of columns ?? []) {
      const error = errorOf(column, ownValue(item as Record<string, unknown>, column.name));
      if (error !== undefined) return `Row ${index + 1}: ${error}`;
    }
  return undefined;
}

/** "the name", "the URL": abbreviations keep their capitals. */
const naming = ({ label }: FieldDescription) => `the ${inSentence(label)}`;

function numberError(field: FieldDescription, value: unknown): string | undefined {
  if (typeof value !== 'number') return 'Enter a number.';
  if (field.type !== 'number' && !Number.isInteger(value)) return 'Enter a whole number.';
  const { minimum, maximum } = field;
  const sized =
    field.type === 'megabytes' ? formatMb : field.type === 'gigabytes' ? formatGb : (n: number) => String(n);
  if (minimum !== undefined && value < minimum) return `Must be at least ${sized(minimum)}.`;
  return maximum !== undefined && value > maximum ? `Must be at most ${sized(maximum)}.` : undefined;
}

/** US dollars with up to six decimals. */
const DECIMAL = '^[0-9]{1,18}(\\.[0-9]{1,6})?$';

/** Error messages for each pattern in the API document's forms; a test checks that none is missing. */
export const PATTERN_ERRORS: Readonly<Record<string, string>> = {
  '^(0x)?0[23][0-9a-fA-F]{64}$':
    'Enter a compressed public key: 66 hexadecimal digits that begin with 02 or 03.',
  '^[a-zA-Z](?!.*--)([a-zA-Z0-9-]*[a-zA-Z0-9])?$':
    'Use letters, digits and single dashes. Begin with a letter and end with a letter or digit.',
  '^[A-Za-z0-9][A-Za-z0-9._-]*$':
    'Use letters, digits, dots, underscores and hyphens; start with a letter or digit.',
  '^[a-z0-9]+(\\.[a-z0-9-]+)*$': 'Use lowercase letters, digits and dots, such as tdx.small.',
  '^[a-z0-9]+(-[a-z0-9]+)*$': 'Use lowercase letters, digits and single hyphens.',
  '^[a-z][a-z0-9_-]*$': 'Use lowercase letters, digits, underscores and hyphens; start with a letter.',
  '^(https?://|/)[^\\s]*$': 'Enter a URL, or a path that starts with /.',
  '^[a-z0-9.-]+(:[0-9]+)?$': 'Enter a lowercase domain, optionally with a port, such as gw.example.com:8443.',
  '^[^\\s@]+@sha256:[0-9a-f]{64}$':
    'Enter an image with its digest, such as registry.example.com/gateway@sha256:….',
  '^https?://': 'Enter a URL that starts with https:// or http://.',
  '^[A-Za-z0-9][A-Za-z0-9._:/-]*$':
    'Start with a letter or digit; then letters, digits, dots, slashes, colons, underscores and hyphens.',
  '^[0-9]{1,3}(\\.[0-9]{1,6})?$': 'Enter an amount below 1000, such as 0.15, with at most six decimals.',
  '^(https?://|unix:/)': 'Enter an address that starts with http://, https:// or unix:/.',
  '^[A-Za-z0-9][A-Za-z0-9_-]*$':
    'Start with a letter or digit; then letters, digits, hyphens and underscores.',
  [DECIMAL]: 'Enter an amount of 0 or more, such as 0.058, with at most six decimals.',
  '^[0-9]{1,18}(\\.[0-9]{1,2}0{0,4})?$': 'Enter an amount above 0 in whole cents, such as 12.50.',
  '^-?[0-9]{1,18}(\\.[0-9]{1,6})?$':
    'Enter an amount such as 12.50, or -12.50 to deduct, with at most six decimals.',
  '^([0-9a-f]{4,8}:)?[0-9a-f]{2}:[0-9a-f]{2}\\.[0-7]$': 'Enter a PCI address such as 0000:17:00.0.',
  '^[0-9a-f]{4}:[0-9a-f]{4}$': 'Enter two PCI IDs such as 10de:2335.',
  '^0[23][0-9a-f]{64}$': 'Enter a compressed secp256k1 key: 66 hexadecimal digits starting with 02 or 03.',
  '^([0-9a-f]{2}){32,255}$': 'Enter a key of 32 to 255 bytes in lowercase hexadecimal.',
  '^0x[0-9a-fA-F]{40}$': 'Enter an address: 0x followed by 40 hexadecimal digits.',
  '^(app_|0x)?[0-9a-fA-F]{40}$': 'Enter an app ID of 40 hexadecimal digits.',
  '^(instance_|0x)?[0-9a-fA-F]{40}$': 'Enter an instance ID of 40 hexadecimal digits.',
  '^(0x)?[0-9a-fA-F]{64}$': 'Enter 64 hexadecimal digits.',
  '^[A-Za-z]+$': 'Use letters only, such as UpToDate.',
  '^[A-Za-z0-9-]+$': 'Use letters, digits and hyphens, such as INTEL-SA-00615.',
};

/** Moved amounts, unlike prices and limits, must be greater than zero. */
const isMoved = ({ name, type, pattern }: FieldDescription) =>
  name === 'amount' && type === 'money' && pattern === DECIMAL;

const CHARACTERS = ['character', 'characters'] as const;

function textError(field: FieldDescription, value: string): string | undefined {
  const length = [...value].length;
  if (field.minLength !== undefined && length < field.minLength)
    return `Must have at least ${counted(field.minLength, CHARACTERS)}.`;
  if (field.maxLength !== undefined && length > field.maxLength)
    return `Must have at most ${counted(field.maxLength, CHARACTERS)} (currently ${length}).`;
  if (isMoved(field) && (!new RegExp(DECIMAL).test(value) || !/[1-9]/.test(value)))
    return 'Enter an amount above 0, such as 12.50, with at most six decimals.';
  if (field.pattern !== undefined && !new RegExp(field.pattern, 'u').test(value))
    return ownValue(PATTERN_ERRORS, field.pattern) ?? `Invalid ${inSentence(field.label)}.`;
  return undefined;
}

/** Returns local time in the format of `datetime-local`: "2026-11-21T09:30". */
function localMinute(iso: string): string {
  const time = new Date(iso);
  if (Number.isNaN(time.getTime())) return '';
  const two = (n: number) => String(n).padStart(2, '0');
  return `${time.getFullYear()}-${two(time.getMonth() + 1)}-${two(time.getDate())}T${two(time.getHours())}:${two(time.getMinutes())}`;
}

/** Names of payment methods, as shown to teams. */
const PAYMENT_NAMES: Readonly<Record<string, string>> = {
  manual: 'Bank transfer',
  stripe: 'Card',
  usdc: 'USDC',
};

/**
 * Returns a choice's label: "dstack_vmm" → "Dstack VMM", "sev_snp" → "AMD SEV-SNP".
 * @param own the field's own words for its choices
 */
export const choiceLabel = (choice: string, own: Readonly<Record<string, string>> = {}) =>
  ownValue(own, choice) ?? ownValue(TEE_NAMES, choice) ?? ownValue(PAYMENT_NAMES, choice) ?? words(choice);

/** Returns the field's own words for a value, if it has any: "Deploy succeeded". */
export const wordOf = (
  { words: own = {}, spoken }: Pick<FieldDescription, 'words' | 'spoken'>,
  value: string,
): string | undefined => ownValue(own, value) ?? (spoken ? words(value.replaceAll('.', ' ')) : undefined);

/** Returns any value as one line of text, for titles, chips and breadcrumbs. */
export function plain(value: unknown): string {
  if (value === null || value === undefined || value === '') return '';
  if (typeof value === 'boolean') return value ? 'Yes' : 'No';
  if (Array.isArray(value)) return value.join(', ');
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}
