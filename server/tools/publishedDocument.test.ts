import { expect, it } from 'vitest';
import document from '../../generated/openapi.json';
import { operations } from '../../generated/api/operations.gen';

it('publishes query parameters that hold JSON as JSON, and parses them as text', () => {
  const { AdminSort, AdminRange, AdminFilter } = document.components.parameters;
  for (const parameter of [AdminSort, AdminRange, AdminFilter]) {
    expect(parameter, parameter.name).not.toHaveProperty('schema');
    expect(parameter, parameter.name).toHaveProperty(['content', 'application/json', 'schema', 'type']);
  }
  const schemas = [AdminSort, AdminRange, AdminFilter].map(
    ({ content }) => content['application/json'].schema,
  );
  expect(schemas.map(({ examples }) => examples)).toEqual([
    [['name', 'ASC']],
    [[0, 24]],
    [{ state: 'online', created_at_gte: '2026-11-01' }],
  ]);
  expect(operations.listAdminNodes.queryTypes).toMatchObject({
    sort: 'string',
    range: 'string',
    filter: 'string',
  });
});

/** A name may have 100 characters of two UTF-16 units each, which is what schemas count. */
const MAX_NAME = 200;
const NAMES =
  /^(username|actor|team_name|(created|updated|requested|acknowledged|linked|confirmed|invited)_by)$/;
/** By schema, for generic property names. */
const MORE_NAMES: readonly string[] = [
  'AdminTeamBilling.name',
  'AdminTeepodTeam.name',
  'AdminView.owner',
  'AdminWorkspace.name',
  'Workspace.name',
];
/** Names defined by the chat service, and request fields written by users. */
const OTHERS: readonly string[] = ['AdminChatBot.username', 'AccountPatch.username'];

it('has room for the longest user or team name in every reply', () => {
  const names = Object.entries(document.components.schemas).flatMap(
    ([schema, { properties = {} }]: [string, object & { properties?: object }]) =>
      Object.entries(properties as Record<string, { type?: unknown; maxLength?: number }>)
        .map(([name, { type, maxLength }]) => ({
          name: `${schema}.${name}`,
          property: name,
          type,
          maxLength,
        }))
        .filter(
          ({ name, property, type }) =>
            [type].flat().includes('string') &&
            (NAMES.test(property) || MORE_NAMES.includes(name)) &&
            !OTHERS.includes(name),
        ),
  );
  expect(names.map(({ name }) => name)).toEqual(expect.arrayContaining([...MORE_NAMES]));
  expect(names.filter(({ maxLength = 0 }) => maxLength < MAX_NAME).map(({ name }) => name)).toEqual([]);
});
