import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { auditRepeats, MAX_ENTRIES, recordDecision } from '../../db/kms/bootDecisions';
import { startAdminTest, type AdminTest } from '../../operations/core/admin/testing/admin';
import { identityOf, insertHost } from '../../testing/cvmFixtures';

/** Bounds on audit entries, whatever is requested. */
let test: AdminTest;
beforeAll(async () => {
  test = await startAdminTest({ TEEHOUSE_ROLE: 'web' });
});
afterAll(() => test?.server.stop());

const HOUR = 3_700_000;
const anyApp = () => randomBytes(20).toString('hex');

async function asked() {
  const { db } = test.server.services;
  const { kms } = await insertHost(db, { kind: 'dstack_vmm' });
  const decide = (app_id: string, change: Partial<Parameters<typeof recordDecision>[1]> = {}) =>
    recordDecision(db, {
      kms,
      team_id: null,
      app_id,
      subject: 'app',
      allowed: false,
      reason: change.allowed ? '' : 'App not registered',
      boot: { compose_hash: 'aa' },
      read: { block_number: 1 },
      ip: '',
      request_id: 'req_test',
      ...change,
    });
  /** Returns the number of decisions stated in each of this KMS's entries. */
  const entries = async (action: 'allow' | 'refuse') =>
    (
      await db
        .selectFrom('audit_log')
        .select('after')
        .where('action', '=', `kms.boot.${action}`)
        .orderBy('id')
        .execute()
    )
      .map(({ after }) => after as { kms: string; decisions: number })
      .filter((after) => after.kms === kms.slug)
      .map(({ decisions }) => decisions);
  return { db, kms, decide, entries };
}

it('counts repeated decisions and an excess of refusals', async () => {
  const { db, kms, decide, entries } = await asked();
  for (let i = 0; i < 5; i++) await decide('allowed', { allowed: true });
  for (let i = 0; i < MAX_ENTRIES + 20; i++) await decide(anyApp());
  await decide('still allowed', { allowed: true });
  expect(await entries('refuse')).toHaveLength(MAX_ENTRIES);
  expect(await entries('allow')).toEqual([1, 1]);
  await auditRepeats(db);
  expect(await entries('refuse')).toHaveLength(MAX_ENTRIES);
  await auditRepeats(db, new Date(Date.now() + HOUR));
  expect((await entries('refuse')).slice(MAX_ENTRIES)).toEqual([20]);
  expect(await entries('allow')).toEqual([1, 1, 4]);
  await auditRepeats(db, new Date(Date.now() + 100_000_000));
  const left = await db
    .selectFrom('kms_boot_decisions')
    .select('kms_id')
    .where('kms_id', '=', kms.id)
    .execute();
  expect(left).toEqual([]);
});

it('gives each team’s allowed boots their own limit', async () => {
  const { db, decide, entries } = await asked();
  const { team_id } = await identityOf(db, test.member.email ?? '');
  const allow = (team: number | null) =>
    decide('known', { allowed: true, team_id: team, boot: { device_id: randomBytes(32).toString('hex') } });
  for (let i = 0; i < MAX_ENTRIES + 20; i++) await allow(team_id);
  expect(await entries('allow')).toHaveLength(MAX_ENTRIES);
  // Neither refusals nor other teams' allowed boots are hidden.
  await decide('unknown');
  await allow(null);
  expect(await entries('refuse')).toEqual([1]);
  expect(await entries('allow')).toHaveLength(MAX_ENTRIES + 1);
  await auditRepeats(db, new Date(Date.now() + HOUR));
  expect((await entries('allow')).slice(MAX_ENTRIES + 1)).toEqual([20]);
  const { body } = await test.member.call('listAuditEntries', { path: { slug: test.member.slug ?? '' } });
  expect(JSON.stringify(body)).toContain('Further allowed boots, not listed individually');
});

it('counts one boot’s entries even if its reason changes with each request', async () => {
  const { db, decide, entries } = await asked();
  for (let i = 0; i < MAX_ENTRIES + 20; i++)
    await decide('torn', { reason: `The contract couldn't be queried: ${i % 2 ? 'A' : 'B'}` });
  expect(await entries('refuse')).toHaveLength(MAX_ENTRIES);
  await decide('another');
  expect(await entries('refuse')).toHaveLength(MAX_ENTRIES);
  await auditRepeats(db, new Date(Date.now() + HOUR));
  const [first = 0, second = 0, ...none] = (await entries('refuse')).slice(MAX_ENTRIES);
  // Some equaled the last one that has an entry.
  expect([first + second, none]).toEqual([21, []]);
});
