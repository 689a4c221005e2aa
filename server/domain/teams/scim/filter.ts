import { ScimError } from './scimError';

/** A filter that finds at most a few users, as sent by identity providers to match their users with ours. */
export interface ScimFilter {
  attribute: 'id' | 'userName' | 'externalId' | 'email';
  value: string;
}

export const USER_SCHEMA = 'urn:ietf:params:scim:schemas:core:2.0:User';

const MAX_LENGTH = 1000;

/** Attribute names are compared without case (RFC 7643 §2.1). */
const ATTRIBUTES = new Map<string, ScimFilter['attribute']>([
  ['id', 'id'],
  ['username', 'userName'],
  ['externalid', 'externalId'],
  ['emails', 'email'],
  ['emails.value', 'email'],
  ['emails[type eq "work"].value', 'email'],
]);

/** One comparison: an attribute, `eq`, and a JSON string. The parts can't overlap, so a long text takes linear time. */
const COMPARISON = /^\s*([\w$.:-]+(?:\[type eq "work"\]\.value)?)\s+eq\s+("(?:[^"\\]|\\.)*")\s*$/is;

/** @throws {ScimError} 400 invalidFilter */
export function parseFilter(text: string): ScimFilter {
  const [, name = '', literal = ''] = (text.length <= MAX_LENGTH && COMPARISON.exec(text)) || [];
  const attribute = ATTRIBUTES.get(withoutSchema(name).toLowerCase());
  const value = attribute && stringOf(literal);
  if (attribute === undefined || value === undefined)
    throw new ScimError(
      400,
      'This server supports filters with one comparison: userName, externalId, emails.value or id, eq, and a value in quotation marks.',
      'invalidFilter',
    );
  return { attribute, value };
}

/** Removes the schema from a fully qualified attribute name (RFC 7644 §3.10). */
export function withoutSchema(name: string): string {
  const prefix = `${USER_SCHEMA}:`;
  return name.toLowerCase().startsWith(prefix.toLowerCase()) ? name.slice(prefix.length) : name;
}

function stringOf(literal: string): string | undefined {
  try {
    const value: unknown = JSON.parse(literal);
    // PostgreSQL can't compare these characters.
    return typeof value === 'string' && !/\u0000|\p{Surrogate}/u.test(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
