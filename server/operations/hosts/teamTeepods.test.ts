import { afterAll, beforeAll, expect, it } from 'vitest';
import type { AdminTeepod } from '../../../generated/api/types.gen';
import { identityOf, insertApp, insertCvm, insertHost } from '../../testing/cvmFixtures';
import { startAdminTest, type AdminTest } from '../core/admin/testing/admin';

/** Lists the hosts a team uses, however many CVMs it has. */

let test: AdminTest;
beforeAll(async () => {
  test = await startAdminTest({ TEEHOUSE_ROLE: 'web' });
});
afterAll(() => test?.server.stop());

const hostsOf = async (filter: Record<string, unknown>) => {
  const { status, body } = await test.admin.call('listAdminTeepods', {
    query: { filter: JSON.stringify(filter), sort: '["name","ASC"]' },
  });
  return status === 200 ? (body as AdminTeepod[]).map(({ name }) => name) : status;
};

it('lists the hosts that run a team’s CVMs', async () => {
  const { db } = test.server.services;
  const { team_id } = await identityOf(db, test.member.email ?? '');
  const other = await identityOf(db, test.admin.email ?? '');
  for (const [name, owner, deleted_at] of [
    ['a-used', team_id, null],
    ['b-used', team_id, null],
    ['c-left', team_id, new Date()],
    ['d-of-others', other.team_id, null],
  ] as const) {
    const host = await insertHost(db, { name });
    const app = await insertApp(db, { team_id: owner, host, name: `app-${name}` });
    await insertCvm(db, { ...app, host, change: { deleted_at } });
    await insertCvm(db, { ...app, host, change: { deleted_at } });
  }
  expect(await hostsOf({ cvm_team_id: team_id })).toEqual(['a-used', 'b-used']);
  expect(await hostsOf({ cvm_team_id: team_id, name: 'b-used' })).toEqual(['b-used']);
  expect(await hostsOf({ cvm_team_id: [team_id, other.team_id] })).toEqual([
    'a-used',
    'b-used',
    'd-of-others',
  ]);
  expect(await hostsOf({ cvm_team_id: 999_999 })).toEqual([]);
  for (const invalid of [null, [], 'acme']) expect(await hostsOf({ cvm_team_id: invalid })).toBe(422);
});
