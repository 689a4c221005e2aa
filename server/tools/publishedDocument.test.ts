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
