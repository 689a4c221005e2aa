import { describe, expect, it } from 'vitest';
import { project, readProjection } from './projection';

const USER = {
  schemas: ['urn:ietf:params:scim:schemas:core:2.0:User'],
  id: 'scu_1',
  userName: 'ada@example.test',
  name: { formatted: 'Ada Lovelace', familyName: 'Lovelace', givenName: 'Ada' },
  active: true,
  emails: [{ value: 'ada@example.test', type: 'work', primary: true }],
  meta: { resourceType: 'User', location: 'https://cloud.example.test/scim/v2/Users/scu_1' },
};
const { schemas, id } = USER;
const shown = (query: Record<string, unknown>) => project(USER, readProjection(query));

describe('attributes', () => {
  it('are the only ones returned, besides id and schemas', () => {
    expect(shown({ attributes: 'userName,active' })).toEqual({
      schemas,
      id,
      userName: USER.userName,
      active: true,
    });
  });

  it('are compared without case, and may name their schema', () => {
    const expected = { schemas, id, userName: USER.userName };
    expect(shown({ attributes: ' USERNAME ' })).toEqual(expected);
    expect(shown({ attributes: `${schemas[0]}:userName` })).toEqual(expected);
  });

  it('may be sub-attributes, including those of each of several values', () => {
    expect(shown({ attributes: 'name.familyName,emails.value' })).toEqual({
      schemas,
      id,
      name: { familyName: 'Lovelace' },
      emails: [{ value: 'ada@example.test' }],
    });
    expect(shown({ attributes: 'name,name.familyName' })).toEqual({ schemas, id, name: USER.name });
  });

  it('that don’t exist are ignored', () => {
    expect(shown({ attributes: 'shoeSize,name.title,userName.first,__proto__' })).toEqual({ schemas, id });
  });

  it('may be repeated or empty', () => {
    expect(shown({ attributes: ['active', 'userName'] })).toEqual(shown({ attributes: 'userName,active' }));
    expect(shown({ attributes: ' , ' })).toEqual(USER);
    expect(shown({})).toEqual(USER);
  });
});

describe('excluded attributes', () => {
  it('are left out, but never id and schemas', () => {
    const { userName: _, meta: __, ...rest } = USER;
    expect(shown({ excludedAttributes: 'userName,meta,id,schemas,groups' })).toEqual(rest);
  });

  it('may be sub-attributes', () => {
    expect(shown({ excludedAttributes: 'name.formatted,emails.primary,active.x' })).toEqual({
      ...USER,
      name: { familyName: 'Lovelace', givenName: 'Ada' },
      emails: [{ value: 'ada@example.test', type: 'work' }],
    });
    const { name: _, ...rest } = USER;
    expect(shown({ excludedAttributes: 'name.formatted,name.familyName,name.givenName' })).toEqual(rest);
  });

  it('don’t count beside attributes', () => {
    expect(shown({ attributes: 'userName', excludedAttributes: 'userName' })).toEqual({
      schemas,
      id,
      userName: USER.userName,
    });
  });
});

it('refuses long lists and anything but text', () => {
  for (const name of ['attributes', 'excludedAttributes']) {
    expect(() => readProjection({ [name]: 'a,'.repeat(2001) })).toThrow('at most 4000 characters');
    expect(() => readProjection({ [name]: ['a,'.repeat(1000), 'b,'.repeat(1001)] })).toThrow('at most 4000');
    expect(() => readProjection({ [name]: { a: 'b' } })).toThrow('separated by commas');
    expect(() => readProjection({ [name]: [['a']] })).toThrow('separated by commas');
  }
});
