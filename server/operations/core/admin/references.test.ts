import { afterAll, beforeAll, expect, it } from 'vitest';
import { from, isRange, offeredFilters, to } from '../../../../admin/lists/filterValues';
import { resources } from '../../../../admin/schema/resources';
import type { FieldDescription } from '../../../../admin/schema/types';
import { operations, type OperationId } from '../../../../generated/api/operations.gen';
import { startAdminTest, type AdminTest } from './testing/admin';

let test: AdminTest;
beforeAll(async () => {
  test = await startAdminTest();
});
afterAll(() => test?.server.stop());

/** A record's tabs list its references with this filter. */
const references = resources.flatMap(({ name, fields, permissions }) =>
  permissions.list === undefined
    ? []
    : fields
        .filter(({ type }) => type === 'reference')
        .map((field) => [name, field.name, field.maxLength] as const),
);

const listOf = (name: string) =>
  Object.entries(operations).find(
    ([, { method, path }]) => method === 'get' && path === `/admin/${name}`,
  )?.[0];

/** Returns a value in the format of the referenced records' IDs. */
function sample(maxLength: number | undefined): unknown {
  if (maxLength === undefined) return 999_999;
  if (maxLength === 36) return '00000000-0000-4000-8000-000000000000';
  return maxLength === 40 ? 'a'.repeat(40) : 'none';
}

it.each(references)('%s can be filtered by %s', async (name, field, maxLength) => {
  const id = listOf(name);
  expect(id).toBeDefined();
  const answer: { status: number; body: unknown } = await test.admin.call(id as OperationId, {
    query: { filter: JSON.stringify({ [field]: sample(maxLength) }), range: '[0,0]' },
  });
  expect([answer.status, answer.body]).toEqual([200, []]);
});

function ends({ name, type }: FieldDescription) {
  const value = type === 'time' ? '2026-11-21T08:00:00Z' : type === 'money' ? '1' : 1;
  return [from(name), to(name)].map((key) => [key, value] as const);
}

function exact({ type, choices, maxLength }: FieldDescription): unknown {
  if (type === 'boolean') return true;
  if (type === 'reference' || maxLength === 36) return sample(maxLength);
  return choices?.[0] ?? 'x';
}

/** Lists whose own address names no other record. */
const lists = resources.filter(({ name, permissions }) => permissions.list !== undefined && listOf(name));

it.each(lists.map((resource) => [resource.name, resource] as const))(
  '%s can be sorted and filtered by everything that the list offers',
  async (name, resource) => {
    const id = listOf(name) as OperationId;
    const statusOf = async (query: Record<string, string>) =>
      (await test.admin.call(id, { query: { range: '[0,0]', ...query } })).status;
    const refused: string[] = [];
    for (const column of resource.columns.filter(({ sortable }) => sortable))
      if ((await statusOf({ sort: JSON.stringify([column.name, 'DESC']) })) !== 200)
        refused.push(`sort ${column.name}`);
    for (const field of offeredFilters(resource, {}))
      for (const [key, value] of isRange(field) ? ends(field) : [[field.name, exact(field)] as const])
        if ((await statusOf({ filter: JSON.stringify({ [key]: value }) })) !== 200) refused.push(key);
    expect(refused.join(', ')).toBe('');
  },
);
