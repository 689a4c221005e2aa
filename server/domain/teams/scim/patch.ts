import { withoutSchema } from './filter';
import { ScimError } from './scimError';
import {
  attribute,
  isObject,
  onlyValue,
  readActive,
  readEmails,
  readName,
  readText,
  readUserName,
  wordOf,
  type JsonObject,
  type ScimValues,
} from './values';

/** Operations in one PATCH: providers send a handful. */
const MAX_OPERATIONS = 100;

const syntax = (detail: string) => new ScimError(400, detail, 'invalidSyntax');

/**
 * Applies a PATCH (RFC 7644 §3.5.2) in the providers' dialects: Entra's `Replace` with `active` as text and
 * paths such as `emails[type eq "work"].value`, and Okta's values without a path. Attributes that this server
 * doesn't have are ignored, because providers send them in the same request as supported ones. @throws
 * {ScimError} 400
 */
export function applyPatch(before: ScimValues, body: JsonObject): ScimValues {
  const operations = attribute(body, 'Operations');
  if (!Array.isArray(operations) || operations.length === 0)
    throw syntax('Operations: Send a list of operations.');
  if (operations.length > MAX_OPERATIONS)
    throw syntax(`Operations: Send at most ${MAX_OPERATIONS} operations.`);
  return operations.reduce<ScimValues>((values, operation) => applyOne(values, operation), before);
}

function applyOne(values: ScimValues, operation: unknown): ScimValues {
  if (!isObject(operation)) throw syntax('Operations: Each operation is an object.');
  const op = wordOf(attribute(operation, 'op'));
  const path = attribute(operation, 'path');
  const value = attribute(operation, 'value');
  if (op !== 'add' && op !== 'replace' && op !== 'remove') throw syntax('op: Send add, replace or remove.');
  if (path !== undefined && path !== null && path !== '') {
    if (typeof path !== 'string' || path.length > 500)
      throw new ScimError(400, 'path: Send the name of an attribute.', 'invalidPath');
    return op === 'remove' ? without(values, keyOf(path)) : { ...values, ...changeOf(keyOf(path), value) };
  }
  if (op === 'remove') throw new ScimError(400, 'path: Name the attribute to remove.', 'invalidPath');
  if (!isObject(value)) throw syntax('value: Without a path, send an object of attributes.');
  const changes = Object.entries(value).map(([name, one]) => changeOf(keyOf(name), one));
  return Object.assign({}, values, ...changes) as ScimValues;
}

/** Entra's `emails[type eq "work"].value` and `emails[primary eq true].value`. */
const WORK_EMAIL = /^emails\[\s*(type eq "work"|primary eq "?true"?)\s*\](\.value)?$/;

function keyOf(path: string): string {
  const key = withoutSchema(path.trim()).toLowerCase();
  return WORK_EMAIL.test(key) ? 'emails' : key;
}

/** Returns an attribute's changes; none if this server doesn't have it. */
function changeOf(key: string, value: unknown): Partial<ScimValues> {
  switch (key) {
    case 'active':
      return { active: readActive(value) };
    case 'username':
      return { user_name: readUserName(value) };
    case 'externalid':
      return { external_id: readText('externalId', value) };
    case 'displayname':
      return { display_name: readName(value) };
    case 'name.formatted':
      return { formatted_name: readName(value) };
    case 'name.givenname':
      return { given_name: readName(value) };
    case 'name.familyname':
      return { family_name: readName(value) };
    case 'name':
      return isObject(value) ? namesOf(value) : {};
    case 'emails':
    case 'emails.value':
      return emailOf(value);
    default:
      return {};
  }
}

function namesOf(value: JsonObject): Partial<ScimValues> {
  const changes = Object.entries(value).map(([name, one]) => changeOf(`name.${name.toLowerCase()}`, one));
  return Object.assign({}, ...changes) as Partial<ScimValues>;
}

/** An empty list makes the user name the address. */
function emailOf(value: unknown): Partial<ScimValues> {
  const text = onlyValue(value);
  return { email: typeof text === 'string' ? readText('emails', text) : readEmails(value) };
}

function without(values: ScimValues, key: string): ScimValues {
  if (key === 'username' || key === 'active' || key === 'id')
    throw new ScimError(400, 'path: This attribute is required.', 'mutability');
  if (key === 'name') return { ...values, formatted_name: null, given_name: null, family_name: null };
  return { ...values, ...changeOf(key, null) };
}
