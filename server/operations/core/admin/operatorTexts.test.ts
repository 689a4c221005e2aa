import { afterAll, beforeAll, expect, it } from 'vitest';
import type { OperationId } from '../../../../generated/api/operations.gen';
import { insertHost } from '../../../testing/cvmFixtures';
import { problemOf, startAdminTest, type AdminTest } from './testing/admin';

/** Reverses what follows it on screen. */
const REVERSED = 'Planned \u202ework';

let test: AdminTest;
let node_id: number;
let teepod_id: number;
let user_id: number;

beforeAll(async () => {
  test = await startAdminTest({ TEEHOUSE_ROLE: 'web' });
  const { db } = test.server.services;
  node_id = await test.node();
  ({
    teepod: { id: teepod_id },
  } = await insertHost(db));
  ({ id: user_id } = await db
    .selectFrom('users')
    .select('id')
    .where('email', '=', test.member.email ?? '')
    .executeTakeFirstOrThrow());
});
afterAll(() => test?.server.stop());

const inHours = (hours: number) => new Date(Date.now() + hours * 3_600_000).toISOString();

/** Operator texts that other users read: operation, path, body and field. */
const texts = (): [OperationId, object, object, string][] => [
  ['createAdminAnnouncement', {}, { title: REVERSED, text: 'Tonight.' }, 'title'],
  ['createAdminAnnouncement', {}, { title: 'Maintenance', text: REVERSED }, 'text'],
  ['drainAdminTeepod', { id: teepod_id }, { reason: REVERSED }, 'reason'],
  [
    'createAdminMaintenanceWindow',
    {},
    { node_id, starts_at: inHours(1), ends_at: inHours(2), reason: REVERSED },
    'reason',
  ],
  ['suspendAdminUser', { id: user_id }, { reason: REVERSED }, 'reason'],
  ['viewAsAdminUser', { id: user_id }, { reason: REVERSED }, 'reason'],
  [
    'createAdminKmsContract',
    {},
    { label: REVERSED, chain: 'local', address: `0x${'1'.repeat(40)}` },
    'label',
  ],
  ['rejectAdminFinanceAction', { id: 1 }, { reason: REVERSED }, 'reason'],
  ['createAdminView', {}, { resource: 'nodes', name: REVERSED, query: '', shared: true }, 'name'],
];

it('refuses characters that reverse text shown to other users', async () => {
  for (const [id, path, body, field] of texts()) {
    const answer = await test.admin.call(id, { path, body } as never);
    expect(answer.status, id).toBe(422);
    expect(problemOf(answer.body).detail.details, id).toContainEqual(
      expect.objectContaining({
        field,
        message: 'Remove the characters that change the direction of the text.',
      }),
    );
  }
});

it('keeps right-to-left names', async () => {
  const body = { title: 'صيانة مخطط لها', text: 'هذا المساء.' };
  expect((await test.admin.call('createAdminAnnouncement', { body })).status).toBe(201);
});
