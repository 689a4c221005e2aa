import { afterAll, beforeAll, expect, it } from 'vitest';
import { resources } from '../../../../admin/schema/resources';
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
