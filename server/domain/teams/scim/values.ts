import { normalEmail, tidyName } from '../../accounts/username';
import { emailDomain } from '../sso';
import { invalidValue } from './scimError';

/** The identity provider's decisions about a user. Everything else it sends is ignored. */
export interface ScimValues {
  user_name: string;
  /** Null: the user name is the address. */
  email: string | null;
  external_id: string | null;
  display_name: string | null;
  formatted_name: string | null;
  given_name: string | null;
  family_name: string | null;
  active: boolean;
}

export type JsonObject = Readonly<Record<string, unknown>>;

export const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Returns an attribute by its name, which is compared without case (RFC 7643 §2.1). */
export function attribute(object: JsonObject, name: string): unknown {
  return Object.entries(object).find(([key]) => key.toLowerCase() === name.toLowerCase())?.[1];
}

/**
 * Returns a keyword or a boolean in lower case; empty for anything else, such as an object with its own
 * `toString`.
 */
export const wordOf = (value: unknown): string =>
  typeof value === 'string' || typeof value === 'boolean' ? String(value).trim().toLowerCase() : '';

/** Reads a whole user from POST and PUT. `active` stays unchanged if it isn't sent. @throws {ScimError} 400 */
export function readUser(body: JsonObject, { active }: Pick<ScimValues, 'active'>): ScimValues {
  const name = attribute(body, 'name');
  const names = isObject(name) ? name : {};
  const sent = attribute(body, 'active');
  return {
    user_name: readUserName(attribute(body, 'userName')),
    email: readEmails(attribute(body, 'emails')),
    external_id: readText('externalId', attribute(body, 'externalId')),
    display_name: readName(attribute(body, 'displayName')),
    formatted_name: readName(attribute(names, 'formatted')),
    given_name: readName(attribute(names, 'givenName')),
    family_name: readName(attribute(names, 'familyName')),
    active: sent === undefined || sent === null ? active : readActive(sent),
  };
}

/** Entra sends "True" and "False" as text, and some providers a list of one value. @throws {ScimError} 400 */
export function readActive(value: unknown): boolean {
  const one = onlyValue(value);
  const text = wordOf(one);
  if (text === 'true') return true;
  if (text === 'false') return false;
  throw invalidValue('active: Send true or false.');
}

/** @throws {ScimError} 400 */
export function readUserName(value: unknown): string {
  const text = readText('userName', onlyValue(value))?.trim();
  if (!text) throw invalidValue("userName: Send the user's sign-in name.");
  return text;
}

/** @throws {ScimError} 400 */
export function readText(name: string, value: unknown): string | null {
  const one = onlyValue(value);
  if (one === undefined || one === null || one === '') return null;
  if (typeof one !== 'string') throw invalidValue(`${name}: Send a string.`);
  if (one.length > 254) throw invalidValue(`${name}: Send at most 254 characters.`);
  return one;
}

/** Names are only for display, so an invalid one is omitted instead of rejecting the user. */
export function readName(value: unknown): string | null {
  const one = onlyValue(value);
  return (typeof one === 'string' && tidyName(one)) || null;
}

/** Returns the primary address, otherwise the work address, otherwise the first. @throws {ScimError} 400 */
export function readEmails(value: unknown): string | null {
  const list = (Array.isArray(value) ? value : [value]).flatMap((entry) =>
    isObject(entry) ? [entry] : typeof entry === 'string' ? [{ value: entry }] : [],
  );
  const having = (key: string, wanted: string) =>
    list.find((entry) => wordOf(attribute(entry, key)) === wanted);
  const chosen = having('primary', 'true') ?? having('type', 'work') ?? list[0];
  return chosen ? readText('emails', attribute(chosen, 'value')) : null;
}

/** Unwraps `[{ "value": x }]` and `[x]`, the form of older Entra connectors. */
export function onlyValue(value: unknown): unknown {
  const one: unknown = Array.isArray(value) && value.length === 1 ? value[0] : value;
  return isObject(one) && Object.keys(one).every((key) => /^(value|\$ref)$/i.test(key))
    ? attribute(one, 'value')
    : one;
}

/** The name of a new account; undefined if the provider sent none. */
export const shownName = (values: ScimValues): string | undefined =>
  values.display_name ??
  values.formatted_name ??
  ([values.given_name, values.family_name].filter((part) => part !== null).join(' ') || undefined);

/**
 * Returns the address that identifies the user here, if it belongs to the verified domain. @throws {ScimError}
 * 400
 */
export function addressOf({ email, user_name }: ScimValues, domain: string): string {
  const address = normalEmail(email ?? user_name);
  if (emailDomain(address) !== domain || !/^[^\s@<>()[\]\\,:;"\p{C}]+@[^\s@]+$/u.test(address))
    throw invalidValue(
      `${email === null ? 'userName' : 'emails'}: The address must be at ${domain}, the domain that the team verified.`,
    );
  return address;
}
