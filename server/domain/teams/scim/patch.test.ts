import { describe, expect, it } from 'vitest';
import { parseFilter } from './filter';
import { applyPatch } from './patch';
import type { ScimValues } from './values';

const ADA: ScimValues = {
  user_name: 'ada@corp.test',
  email: null,
  external_id: 'ext-1',
  display_name: 'Ada',
  formatted_name: null,
  given_name: 'Ada',
  family_name: 'Lovelace',
  active: true,
};
const patched = (...Operations: object[]) => applyPatch(ADA, { Operations });

describe('a PATCH deactivates', () => {
  it.each([
    ['Entra', { op: 'Replace', path: 'active', value: 'False' }],
    ['Entra with aadOptscim062020', { op: 'replace', path: 'active', value: false }],
    ['Entra without a path', { op: 'replace', value: { active: false, 'name.familyName': 'King' } }],
    ['an older Entra connector', { op: 'Replace', path: 'active', value: [{ $ref: null, value: 'False' }] }],
    ['Okta', { op: 'replace', value: { active: false } }],
    [
      'a client with qualified names',
      { op: 'replace', path: 'urn:ietf:params:scim:schemas:core:2.0:User:active', value: false },
    ],
    ['a client that adds', { op: 'add', value: { Active: 'false' } }],
  ])('as %s sends it', (_, operation) => {
    expect(patched(operation).active).toBe(false);
  });

  it('even beside attributes that this server doesn’t have', () => {
    const values = patched(
      { op: 'Add', path: 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User:manager', value: '7' },
      { op: 'Replace', path: 'phoneNumbers[type eq "mobile"].value', value: '+1 555 0100' },
      { op: 'Replace', path: 'active', value: 'False' },
      { op: 'Remove', path: 'title' },
    );
    expect(values).toEqual({ ...ADA, active: false });
  });
});

describe('a PATCH changes', () => {
  it.each<[object, Partial<ScimValues>]>([
    [{ op: 'Replace', path: 'emails[type eq "work"].value', value: 'a@corp.test' }, { email: 'a@corp.test' }],
    [
      { op: 'Add', path: 'emails[primary eq true]', value: { value: 'b@corp.test' } },
      { email: 'b@corp.test' },
    ],
    [
      {
        op: 'replace',
        path: 'emails',
        value: [
          { value: 'home@x.test', type: 'home' },
          { value: 'c@corp.test', type: 'work' },
        ],
      },
      { email: 'c@corp.test' },
    ],
    [{ op: 'replace', path: 'emails[type eq "home"].value', value: 'home@x.test' }, {}],
    [{ op: 'replace', path: 'name', value: { givenName: 'Augusta' } }, { given_name: 'Augusta' }],
    [
      { op: 'replace', value: { name: { familyName: 'King' }, displayName: 'Ada K.' } },
      { family_name: 'King', display_name: 'Ada K.' },
    ],
    [{ op: 'remove', path: 'externalId' }, { external_id: null }],
    [{ op: 'remove', path: 'name.familyName' }, { family_name: null }],
    [{ op: 'replace', path: 'userName', value: ' ada.k@corp.test ' }, { user_name: 'ada.k@corp.test' }],
    [{ op: 'replace', path: '__proto__', value: { active: false } }, {}],
  ])('%j', (operation, change) => {
    expect(patched(operation)).toEqual({ ...ADA, ...change });
  });
});

it.each([
  ['userName eq "a@b.test"', { attribute: 'userName', value: 'a@b.test' }],
  ['USERNAME EQ "a\\"b"', { attribute: 'userName', value: 'a"b' }],
  ['externalId eq "7"', { attribute: 'externalId', value: '7' }],
  ['emails[type eq "work"].value eq "a@b.test"', { attribute: 'email', value: 'a@b.test' }],
  ['urn:ietf:params:scim:schemas:core:2.0:User:userName eq "a"', { attribute: 'userName', value: 'a' }],
])('parses the filter %s', (text, filter) => {
  expect(parseFilter(text)).toEqual(filter);
});
