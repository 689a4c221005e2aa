import { cutWhole } from '../texts/cutWhole';
import { nestingOf } from './nesting';

/**
 * A form for an MCP tool's arguments, generated from the server's JSON Schema. The schema is untrusted text, so
 * every list is bounded and nothing in it is executed, including patterns.
 */

const MAX_FIELDS = 60;
const MAX_CHOICES = 200;
const MAX_NAME = 128;
const MAX_HELP = 500;
/** Maximum alternatives of a type, one of which may be null. */
const MAX_ALTERNATIVES = 10;
/** Maximum characters of text and JSON; the API accepts 128 KB for a whole call. */
export const MAX_TEXT = 100_000;
/** Maximum JSON nesting; serializing deeper values can fail. */
const MAX_NESTING = 1_000;
/** Maximum string length for a single-line input. */
const ONE_LINE = 200;

type Scalar = string | number | boolean;
type Schema = Readonly<Record<string, unknown>>;

interface FieldBase {
  name: string;
  help: string;
  required: boolean;
  nullable: boolean;
}

/** The control for an argument. Arguments without a suitable control are entered as JSON. */
type Control =
  | { kind: 'text'; is_long: boolean; min_length: number; max_length: number }
  | { kind: 'number'; is_integer: boolean; minimum: number; maximum: number }
  | { kind: 'choice'; choices: readonly Scalar[] }
  | { kind: 'lines' }
  | { kind: 'json' };

export type ToolField = FieldBase & Control;

interface ToolForm {
  fields: readonly ToolField[];
  /** Whether the tool accepts arguments besides `fields`, entered together as a JSON object. */
  takes_more: boolean;
}

/** Returns the fields for a tool's `input_schema`, required ones first. */
export function toolFormOf(input: unknown): ToolForm {
  const schema = schemaOf(input);
  if (!isRecord(schema.properties)) return { fields: [], takes_more: true };
  const required = new Set(Array.isArray(schema.required) ? (schema.required as unknown[]) : []);
  const declared = Object.entries(schema.properties);
  const usable = declared.filter(([name]) => name !== '' && name.length <= MAX_NAME);
  const shown = [
    ...usable.filter(([name]) => required.has(name)),
    ...usable.filter(([name]) => !required.has(name)),
  ].slice(0, MAX_FIELDS);
  const fields = shown.map(([name, value]) => fieldOf(name, value, required.has(name)));
  const names = new Set<unknown>(fields.map(({ name }) => name));
  return {
    fields,
    takes_more:
      fields.length < declared.length ||
      schema.additionalProperties === true ||
      isRecord(schema.additionalProperties) ||
      [...required].some((name) => !names.has(name)),
  };
}

function fieldOf(name: string, value: unknown, required: boolean): ToolField {
  const { schema, nullable } = withoutNull(schemaOf(value));
  const control = controlOf(schema);
  return { name, required, nullable, help: helpOf(schema, control), ...control };
}

/** Unwraps `string or null`, in the two forms used by schema generators. */
function withoutNull(schema: Schema): { schema: Schema; nullable: boolean } {
  if (Array.isArray(schema.type)) {
    const types = (schema.type as unknown[]).filter((one) => one !== 'null');
    const nullable = types.length < schema.type.length;
    return { schema: { ...schema, type: types.length === 1 ? types[0] : undefined }, nullable };
  }
  const alternatives: unknown = schema.anyOf ?? schema.oneOf;
  if (!Array.isArray(alternatives) || alternatives.length > MAX_ALTERNATIVES)
    return { schema, nullable: false };
  const others = alternatives.map(schemaOf).filter(({ type }) => type !== 'null');
  const nullable = others.length < alternatives.length;
  const [only] = others;
  return others.length === 1 && only
    ? { schema: { ...only, description: schema.description ?? only.description }, nullable }
    : { schema: { ...schema, type: undefined }, nullable };
}

function controlOf(schema: Schema): Control {
  const choices = Object.hasOwn(schema, 'const') ? [schema.const] : schema.enum;
  if (Array.isArray(choices)) {
    const list = (choices as unknown[]).slice(0, MAX_CHOICES).filter(isScalar);
    // A list that lacks some values would make them unavailable.
    if (list.length === choices.length && list.length > 0) return { kind: 'choice', choices: list };
    return schema.type === 'string' ? textOf(schema) : { kind: 'json' };
  }
  switch (schema.type) {
    case 'boolean':
      return { kind: 'choice', choices: [true, false] };
    case 'string':
      return textOf(schema);
    case 'integer':
    case 'number':
      return {
        kind: 'number',
        is_integer: schema.type === 'integer',
        minimum: numberOr(schema.minimum, -Infinity),
        maximum: numberOr(schema.maximum, Infinity),
      };
    case 'array':
      return { kind: schemaOf(schema.items).type === 'string' ? 'lines' : 'json' };
    default:
      return { kind: 'json' };
  }
}

function textOf(schema: Schema): Control {
  const max_length = Math.min(MAX_TEXT, numberOr(schema.maxLength, MAX_TEXT));
  return {
    kind: 'text',
    is_long: max_length > ONE_LINE && schema.format === undefined,
    min_length: numberOr(schema.minLength, 0),
    max_length,
  };
}

function helpOf(schema: Schema, control: Control): string {
  const parts = typeof schema.description === 'string' ? [cutWhole(schema.description, MAX_HELP).trim()] : [];
  if (control.kind === 'number') parts.push(rangeOf(control));
  if (control.kind === 'lines') parts.push('One per line.');
  if (control.kind === 'json')
    parts.push(typeof schema.type === 'string' ? `JSON, ${schema.type.slice(0, 20)}.` : 'JSON.');
  if (isScalar(schema.default) && schema.default !== '')
    parts.push(`Default: ${cutWhole(String(schema.default), 100)}.`);
  return parts.filter(Boolean).join(' ');
}

function rangeOf({ minimum, maximum }: { minimum: number; maximum: number }): string {
  if (minimum > -Infinity && maximum < Infinity) return `${minimum} to ${maximum}.`;
  if (minimum > -Infinity) return `At least ${minimum}.`;
  return maximum < Infinity ? `At most ${maximum}.` : '';
}

interface EnteredArguments {
  arguments: Record<string, unknown>;
  /** Faults by field name. */
  faults: ReadonlyMap<string, string>;
  /** Fault of the JSON for other arguments. */
  more_fault: string | undefined;
}

/**
 * Reads a filled form. Omits empty fields.
 * @param values input by field name; for a choice, its index
 * @param more JSON with the arguments that have no field
 */
export function readArguments(
  { fields, takes_more }: ToolForm,
  values: ReadonlyMap<string, string>,
  more: string,
): EnteredArguments {
  const faults = new Map<string, string>();
  const entered: [string, unknown][] = [];
  let more_fault: string | undefined;
  if (takes_more && more.trim() !== '') {
    const value = parseJson(more);
    if (isRecord(value)) entered.push(...Object.entries(value));
    else more_fault = 'Enter a JSON object, such as {"limit": 5}.';
  }
  for (const field of fields) {
    const text = values.get(field.name) ?? '';
    if (text.trim() === '' && (field.kind !== 'text' || text === '')) {
      if (!field.required) continue;
      if (field.nullable) entered.push([field.name, null]);
      else faults.set(field.name, field.kind === 'choice' ? 'Choose a value.' : 'Enter a value.');
      continue;
    }
    const { value, fault } = readValue(field, text);
    if (fault === undefined) entered.push([field.name, value]);
    else faults.set(field.name, fault);
  }
  // Defines own properties, even for a name such as __proto__.
  return { arguments: Object.fromEntries(entered), faults, more_fault };
}

function readValue(field: ToolField, text: string): { value?: unknown; fault?: string } {
  switch (field.kind) {
    case 'text':
      if (text.length < field.min_length) return { fault: `Enter at least ${field.min_length} characters.` };
      return text.length > field.max_length
        ? { fault: `Enter at most ${field.max_length} characters.` }
        : { value: text };
    case 'number':
      return readNumber(field, Number(text));
    case 'choice':
      return { value: field.choices[Number(text)] };
    case 'lines':
      return { value: text.split(/\r?\n/).filter((line) => line.trim() !== '') };
    case 'json': {
      const value = parseJson(text);
      return value === undefined ? { fault: 'Enter valid JSON.' } : { value };
    }
  }
}

function readNumber(
  { is_integer, minimum, maximum }: Extract<Control, { kind: 'number' }>,
  value: number,
): { value?: number; fault?: string } {
  if (is_integer && !Number.isSafeInteger(value)) return { fault: 'Enter a whole number.' };
  if (!Number.isFinite(value)) return { fault: 'Enter a number.' };
  if (value < minimum) return { fault: `Enter at least ${minimum}.` };
  return value > maximum ? { fault: `Enter at most ${maximum}.` } : { value };
}

/** @returns undefined if the text isn't JSON, or is too large or too deeply nested to send */
function parseJson(text: string): unknown {
  if (text.length > MAX_TEXT || nestingOf(text) > MAX_NESTING) return undefined;
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const schemaOf = (value: unknown): Schema => (isRecord(value) ? value : {});
const isScalar = (value: unknown): value is Scalar =>
  typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';
const numberOr = (value: unknown, otherwise: number): number =>
  typeof value === 'number' && Number.isFinite(value) ? value : otherwise;
