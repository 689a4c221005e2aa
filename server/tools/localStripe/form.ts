import { z, type ZodType } from 'zod';

/** Stripe's request format: `application/x-www-form-urlencoded` with nested names, such as `metadata[team]=1`. */

type Value = string | Value[] | { [key: string]: Value };

/** An error in Stripe's format. */
export class StripeFault extends Error {
  constructor(
    readonly status: number,
    readonly fault: { type: string; message: string; code?: string; param?: string; [key: string]: unknown },
  ) {
    super(fault.message);
  }
}

export const invalidRequest = (message: string, more: { code?: string; param?: string } = {}, status = 400) =>
  new StripeFault(status, { type: 'invalid_request_error', message, ...more });

/** Returns the values of a form by name, nested according to their names. Lists have the keys 0, 1, … */
export function parseForm(text: string): Record<string, Value> {
  const root: Record<string, Value> = {};
  for (const [name, value] of new URLSearchParams(text)) {
    const path = name.split(/\[|\]\[|\]/).filter((part, index, all) => part !== '' || index < all.length - 1);
    let at: Record<string, Value> = root;
    for (const part of path.slice(0, -1)) {
      if (['__proto__', 'constructor', 'prototype'].includes(part)) throw invalidRequest('Invalid name.');
      at = (at[part] ??= {}) as Record<string, Value>;
    }
    at[path.at(-1) ?? ''] = value;
  }
  return listsOf(root) as Record<string, Value>;
}

function listsOf(value: Value): Value {
  if (typeof value === 'string' || Array.isArray(value)) return value;
  const entries = Object.entries(value).map(([key, one]) => [key, listsOf(one)] as const);
  const isList = entries.length > 0 && entries.every(([key], index) => key === String(index));
  return isList ? entries.map(([, one]) => one) : Object.fromEntries(entries);
}

/** Parses parameters as strictly as Stripe: an unknown one is an error that names it. */
export function checked<T>(schema: ZodType<T>, given: unknown): T {
  const parsed = schema.safeParse(given);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const path = [...(issue?.path ?? [])].map(String);
  const nameOf = (parts: string[]) => parts.map((part, index) => (index === 0 ? part : `[${part}]`)).join('');
  if (issue?.code === 'unrecognized_keys') {
    const param = nameOf([...path, issue.keys[0] ?? '']);
    throw invalidRequest(`Received unknown parameter: ${param}`, { code: 'parameter_unknown', param });
  }
  const param = nameOf(path);
  if (issue?.code === 'invalid_type' && issue.input === undefined)
    throw invalidRequest(`Missing required param: ${param}.`, { code: 'parameter_missing', param });
  throw invalidRequest(`Invalid ${param}: ${issue?.message ?? ''}`, { code: 'parameter_invalid', param });
}

/** A whole number in a form. */
export const wholeNumber = z
  .string()
  .regex(/^\d{1,15}$/)
  .transform(Number);
export const flag = z.enum(['true', 'false']).transform((text) => text === 'true');
export const metadata = z.record(z.string().max(40), z.string().max(500)).default({});
