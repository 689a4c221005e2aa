import { ownValue } from '../../console/lib/ownValue';

/** The part of JSON Schema that these servers describe their arguments with. */
export interface ArgumentSchema {
  type: 'object';
  properties: Readonly<Record<string, TextSchema | IntegerSchema>>;
  required: readonly string[];
  additionalProperties: false;
}

interface TextSchema {
  type: 'string';
  description: string;
  minLength?: number;
  maxLength: number;
  /** A regular expression for the whole value. */
  pattern?: string;
}

interface IntegerSchema {
  type: 'integer';
  description: string;
  minimum: number;
  maximum: number;
}

/** Returns what is wrong with a tool's arguments, for the model to correct; null if nothing is. */
export function argumentFault(
  schema: ArgumentSchema,
  args: Readonly<Record<string, unknown>>,
): string | null {
  for (const name of schema.required) if (!Object.hasOwn(args, name)) return `“${name}” is missing.`;
  for (const [name, value] of Object.entries(args)) {
    const known = ownValue(schema.properties, name);
    if (!known) return `Unknown argument “${name.slice(0, 50)}”.`;
    const fault = known.type === 'string' ? textFault(known, value) : integerFault(known, value);
    if (fault !== null) return `“${name}” ${fault}`;
  }
  return null;
}

function textFault({ minLength = 0, maxLength, pattern }: TextSchema, value: unknown): string | null {
  if (typeof value !== 'string') return 'must be a string.';
  if (value.length < minLength || value.length > maxLength)
    return `must have ${minLength} to ${maxLength} characters.`;
  if (pattern !== undefined && !new RegExp(pattern).test(value)) return `must match ${pattern}.`;
  return null;
}

const integerFault = ({ minimum, maximum }: IntegerSchema, value: unknown): string | null =>
  Number.isInteger(value) && (value as number) >= minimum && (value as number) <= maximum
    ? null
    : `must be a whole number from ${minimum} to ${maximum}.`;
