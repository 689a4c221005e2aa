import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { AdminAudit } from '../../../../generated/api/types.gen';
import { appendAudit } from '../../../db/audit/auditLog';
import { openDebt } from '../../../db/billing/debts';
import { withTransaction } from '../../../db/core/client';
import { identityOf, insertHost } from '../../../testing/cvmFixtures';
import type { TestClient, TestServer } from '../../../testing/server';
import { startAdminTest } from '../../core/admin/testing/admin';

let server: TestServer;
let admin: TestClient;
let user_id: number;
let team_id: number;

beforeAll(async () => {
  const test = await startAdminTest({ TEEHOUSE_ROLE: 'web' });
  ({ server, admin } = test);
  ({ user_id, team_id } = await identityOf(db(), test.member.email ?? ''));
});
afterAll(() => server?.stop());

const db = () => server.services.db;

async function list(filter: Record<string, unknown>): Promise<AdminAudit[]> {
  const { status, body } = await admin.call('listAdminAudit', {
    query: { filter: JSON.stringify({ team_id, ...filter }), sort: '["id","DESC"]' },
  });
  expect(status, JSON.stringify(body)).toBe(200);
  return body as AdminAudit[];
}

/** Returns the audit entry of a server action on a record. */
async function entryOf(target_kind: string, target_id: number | string): Promise<AdminAudit | undefined> {
  await withTransaction(db(), (trx) =>
    appendAudit(trx, [
      { actor_kind: 'system', action: 'test', target_kind, target_id: String(target_id), team_id },
    ]),
  );
  return (await list({ action: 'test', target_kind }))[0];
}

it('names a credit by its amount, and links it', async () => {
  const { status, body } = await admin.call('createAdminCredit', {
    body: { team_id, amount: '1250.5', reason: 'Outage' },
    headers: { 'Idempotency-Key': randomUUID() },
  });
  expect(status, JSON.stringify(body)).toBe(201);
  expect(await list({ action: 'credit.grant' })).toMatchObject([
    {
      target: 'Credit of $1,250.50',
      target_resource: 'credits',
      target_record_id: String((body as { id: number }).id),
    },
  ]);
});

it('names a drain by its host, and the server as actor', async () => {
  const host = await insertHost(db(), { name: 'rack1-a' });
  const { id } = await db()
    .insertInto('drains')
    .values({
      teepod_id: host.teepod.id,
      movable: 'move',
      others: 'stop',
      stop_at: new Date(),
      reason: 'Memory',
      message: null,
      requested_by: null,
      cancelled_by: null,
      lease_owner: null,
      lease_until: null,
      finished_at: null,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  expect(await entryOf('drain', id)).toMatchObject({
    actor: 'System',
    target: 'Drain of rack1-a',
    target_resource: 'drains',
  });
});

it('names the local teepod, which registers itself, by its name, and links it', async () => {
  const host = await insertHost(db(), { name: 'local-teepod', kind: 'local' });
  expect(await entryOf('teepod', 'local-teepod')).toMatchObject({
    target: 'local-teepod',
    target_resource: 'teepods',
    target_record_id: String(host.teepod.id),
  });
});

it('names a debt by its team, whose page it links', async () => {
  const { public_id } = await withTransaction(db(), async (trx) => {
    const debt = await openDebt(trx, team_id, new Date(), { grace: 7, keep: 30, pending: 10 });
    if (!debt) throw new Error('the team has a debt already');
    return debt;
  });
  const { name } = await db()
    .selectFrom('teams')
    .select('name')
    .where('id', '=', team_id)
    .executeTakeFirstOrThrow();
  expect(await entryOf('debt', public_id)).toMatchObject({
    target: `Debt of ${name}`,
    target_resource: 'workspaces',
    target_record_id: String(team_id),
  });
});

it('names a bulk job by what it does', async () => {
  const { id } = await db()
    .insertInto('admin_bulk_jobs')
    .values({
      resource: 'cvms',
      action: 'restart',
      operation: 'restartAdminCvm',
      body: null,
      filter: null,
      user_id,
      token_id: null,
      ip: null,
      user_agent: null,
      request_id: 'req_1',
      total: 2,
      cancel_requested_at: null,
      lease_owner: null,
      lease_until: null,
      started_at: null,
      finished_at: null,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  expect(await entryOf('admin_bulk_job', id)).toMatchObject({
    target: 'Restart CVMs (2)',
    target_resource: 'bulk-jobs',
  });
});

it('names an email by its subject', async () => {
  const { id } = await db()
    .insertInto('outbox')
    .values({
      message_id: '<named@example.com>',
      to: 'guest@example.com',
      template: 'invitation',
      subject: 'You’re invited',
      sealed_content: null,
      state: 'sent',
      next_attempt_at: null,
      last_error: null,
      lease_owner: null,
      lease_until: null,
      user_id: null,
      team_id,
      sent_at: new Date(),
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  expect(await entryOf('mail', id)).toMatchObject({ target: 'You’re invited', target_resource: 'outbox' });
});

it('names an invitation by its role, without the address', async () => {
  await db()
    .insertInto('invitations')
    .values({
      public_id: 'inv_named',
      team_id,
      email: 'guest@example.com',
      role: 'viewer',
      token_hash: Buffer.from('named'),
      invited_by: null,
      accepted_by: null,
      expires_at: new Date(Date.now() + 60_000),
    })
    .execute();
  expect(await entryOf('invitation', 'inv_named')).toMatchObject({
    target: 'Invitation as viewer',
    target_resource: null,
  });
});

it('shows the ID of a deleted target', async () => {
  expect(await entryOf('drain', 999_999)).toMatchObject({ target: '999999', target_resource: null });
});
