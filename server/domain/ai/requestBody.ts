import * as z from 'zod';
import { cutWhole } from '../../../console/lib/texts/cutWhole';
import { jsonExcess, MAX_JSON_DEPTH } from '../core/jsonDepth';
import { counted } from '../../../console/lib/texts/count';
import { AiError } from './aiError';
import { membersOf, repeatedMember } from './jsonMembers';

export const invalidRequest = (text: string, param: string | null, code: string | null = null) =>
  new AiError(400, 'invalid_request_error', code, param === null ? text : `${param}: ${text}`, { param });

/**
 * Reads a request's body. @param schema names the members by which the gateway checks, prices and forwards it
 * @throws {AiError} 400 that names the first invalid member
 */
export function readBody<S extends z.ZodObject>(schema: S, body: Buffer): z.infer<S> {
  const checked = schema.safeParse(parseJson(body));
  if (checked.success) {
    refuseAmbiguous(body, schema.shape);
    return checked.data;
  }
  const issue = checked.error.issues[0];
  const param = issue?.path.map((key) => (typeof key === 'number' ? `[${key}]` : `.${String(key)}`)).join('');
  throw invalidRequest(
    `${issue?.message.replace(/^Invalid input: /, '') ?? 'The body is invalid'}.`.replace(/\.\.$/, '.'),
    param ? param.replace(/^\./, '').slice(0, 200) : null,
  );
}

/**
 * Parses a request's body without a schema. @throws {AiError} 400 if it isn't JSON or has a duplicate member
 */
export function parseRequest(body: Buffer): unknown {
  const value = parseJson(body);
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) refuseAmbiguous(body, {});
  return value;
}

/**
 * A long body holds images or long texts. The limit leaves room for as many tokens as models read; more values
 * would take a hundred times the body's bytes, and seconds to parse and check.
 */
const MAX_JSON = { values: 2 ** 20, objects: 100_000 };
const TOO_MUCH = {
  depth: `The body is nested deeper than ${MAX_JSON_DEPTH} levels.`,
  values: `The body has more than ${counted(MAX_JSON.values, 'values')}.`,
  objects: `The body has more than ${counted(MAX_JSON.objects, 'objects')}.`,
};

function parseJson(body: Buffer): unknown {
  const excess = jsonExcess(body, MAX_JSON);
  if (excess) throw invalidRequest(TOO_MUCH[excess], null);
  try {
    return JSON.parse(body.toString('utf8'));
  } catch {
    throw invalidRequest('The body is not valid JSON.', null);
  }
}

/**
 * Model servers differ in which of two members with the same name they use, and some ignore case, so the
 * gateway and the model server could read different requests.
 */
function refuseAmbiguous(body: Buffer, read: object): void {
  const names = new Set<string>();
  let misspelled: string | null = null;
  for (const { name } of membersOf(body)) {
    const lower = name.toLowerCase();
    if (names.has(lower)) throw invalidRequest('The body has this field twice.', cutWhole(name, 200));
    if (name !== lower && Object.hasOwn(read, lower)) misspelled ??= name;
    names.add(lower);
  }
  if (misspelled !== null) throw invalidRequest('Write this field name in lowercase.', misspelled);
}

/** The same at any depth. @throws {AiError} 400 for two members of an object with the same name */
export function refuseRepeated(body: Buffer): void {
  const repeated = repeatedMember(body);
  if (repeated !== null)
    throw invalidRequest('An object in the body has this field twice.', cutWhole(repeated, 200));
}

/** Some model servers ignore case, so these members of messages and parts must be spelled exactly like this. */
const NAMED = new Set(['type', 'role', 'content', 'output', 'text', 'file_id', 'audio']);
export const isSpelled = (given: object): boolean =>
  Object.keys(given).every((name) => NAMED.has(name) || !NAMED.has(name.toLowerCase()));
export const spelled = { error: 'Write field names in lowercase' };

/** Other tiers cost the operator more or take longer, but a model has one price. */
export const serviceTier = z
  .enum(['auto', 'default'], { error: 'Only the service tiers auto and default are available' })
  .nullish();

/** Returns the text of a member of any form; empty if it is absent. */
export const jsonText = (value: unknown): string =>
  typeof value === 'string' ? value : value === undefined || value === null ? '' : JSON.stringify(value);
