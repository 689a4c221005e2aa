import { afterAll, beforeAll, expect, it } from 'vitest';
import {
  compose,
  OTHER_DEVICE,
  refusal,
  startGovernedApps,
  waiting,
  type GovernedApps,
} from '../../../testing/governedApps';
import { insertBudget } from '../../../db/billing/budgets';
import { openDebt } from '../../../db/billing/debts';
import { lockLedger, post } from '../../../db/billing/ledger';
import { withTransaction } from '../../../db/core/client';
import { periodOf } from '../../../domain/billing/budget';
import { transfer } from '../../../domain/billing/ledger';
import { identityOf } from '../../../testing/cvmFixtures';
import type { TestClient, TestServer } from '../../../testing/server';

/** The other parts of a change that is waiting for its contract. */
let governed: GovernedApps;
let server: TestServer;
let member: TestClient;
let deploy: GovernedApps['deploy'];
let settle: GovernedApps['settle'];
let team_id: number;
let booked = 0;

/** Changes the team's balance. */
const book = (amount: number) =>
  withTransaction(server.services.db, async (trx) => {
    await lockLedger(trx, team_id);
    await post(trx, {
      team_id,
      kind: 'adjustment',
      source_type: 'test',
      source_id: `waiting-${++booked}`,
      description: 'Test',
      effective_at: new Date(),
      entries: transfer('adjustment', 'prepaid', amount),
    });
  });

beforeAll(async () => {
  governed = await startGovernedApps({ BILLING_ENFORCEMENT: 'on' });
  ({ server, member, deploy, settle } = governed);
  ({ team_id } = await identityOf(server.services.db, member.email!));
  await book(1_000_000_000);
});
afterAll(() => governed?.stop());

it('applies listing and size with the update at commit, not while pending', async () => {
  const { path, vm_uuid, allow } = await deploy('resized');
  const { db } = server.services;
  const cvm = await db
    .selectFrom('cvms')
    .select(['id', 'team_id', 'vcpu', 'memory_mb', 'disk_gb'])
    .where('vm_uuid', '=', vm_uuid)
    .executeTakeFirstOrThrow();
  const reserved = () =>
    db
      .selectFrom('reservations')
      .select(['vcpu', 'memory_mb', 'disk_gb'])
      .where('cvm_id', '=', cvm.id)
      .executeTakeFirstOrThrow();
  const isListed = async () =>
    (await db.selectFrom('cvms').select('listed').where('id', '=', cvm.id).executeTakeFirstOrThrow()).listed;
  const limitDisk = (max_disk_gb: number) =>
    db.updateTable('teams').set({ max_disk_gb }).where('id', '=', cvm.team_id).execute();
  const { max_disk_gb } = await db
    .selectFrom('teams')
    .select('max_disk_gb')
    .where('id', '=', cvm.team_id)
    .executeTakeFirstOrThrow();
  const size = { vcpu: cvm.vcpu, memory_mb: cvm.memory_mb, disk_gb: cvm.disk_gb };
  const disk_size = cvm.disk_gb + 10;
  const { compose_hash, commit_token: token } = waiting(
    await member.call('patchCvm', { path, body: { ...compose('nginx:6'), disk_size, listed: true } }),
  );
  expect(await reserved()).toEqual(size);
  expect(await isListed()).toBe(false);
  await allow(compose_hash);
  const commit = () =>
    member.call('commitCvmUpdate', { path, body: { token, compose_hash: '', transaction_hash: '' } });
  await limitDisk(1);
  expect(refusal(await commit())).toEqual([400, expect.stringContaining('quota')]);
  await limitDisk(max_disk_gb);
  const done = await commit();
  expect(done.status, JSON.stringify(done.body)).toBe(202);
  expect(await reserved()).toEqual({ ...size, disk_gb: disk_size });
  expect(await isListed()).toBe(true);
  const { payload } = await db
    .selectFrom('operations')
    .select('payload')
    .where('cvm_id', '=', cvm.id)
    .where('type', '=', 'update')
    .executeTakeFirstOrThrow();
  expect(payload).toMatchObject({ disk_gb: disk_size });
  expect(payload.revision_id).toBeDefined();
});

it('checks funds at commit, and stays pending if refused', async () => {
  const { path, app, vm_uuid, allow } = await deploy('owing');
  const { db } = server.services;
  const prepared = waiting(await member.call('patchCvm', { path, body: compose('nginx:30') }));
  await allow(prepared.compose_hash);
  const body = { token: prepared.commit_token, compose_hash: '', transaction_hash: '' };
  const commit = () => member.call('commitCvmUpdate', { path, body });
  await book(-2_000_000_000);
  const days = { grace: 0, keep: 30, pending: 14 };
  await withTransaction(db, (trx) => openDebt(trx, team_id, new Date(), days));
  const owed =
    /is due\. CVMs are stopped until it is paid\. Nothing was changed\. The change is still pending/;
  expect(refusal(await commit())).toEqual([402, expect.stringMatching(owed)]);
  const [{ approval_id } = { approval_id: '' }] = (await member.call('listApprovals', { path: app })).body;
  const fromList = await member.call('commitApproval', { path: { ...app, approval_id }, body: {} });
  expect(refusal(fromList)).toEqual([402, expect.stringMatching(owed)]);
  await book(2_000_000_000);
  const budget = { team_id, app_id: null, period: 'month', amount_micros: 1, action: 'stop' } as const;
  await withTransaction(db, (trx) => insertBudget(trx, { ...budget, alerts: [100] }));
  await db
    .updateTable('budgets')
    .set({ used_up_at: new Date(), period_start: periodOf('month', new Date()).from })
    .where('team_id', '=', team_id)
    .execute();
  const usedUp = /^The monthly team budget, .* is used up until .* The change is still pending/;
  expect(refusal(await commit())).toEqual([409, expect.stringMatching(usedUp)]);
  await db.deleteFrom('budgets').where('team_id', '=', team_id).execute();
  expect((await commit()).status).toBe(202);
  await settle(vm_uuid);
});

it('doesn’t restore secrets that were replaced while a change was pending', async () => {
  const { path, vm_uuid, allow } = await deploy('rotated');
  const sealed = (byte: string) => ({ encrypted_env: byte.repeat(80) });
  const prepare = async (change: Record<string, unknown>) => {
    const { compose_hash, commit_token } = waiting(await member.call('patchCvm', { path, body: change }));
    await allow(compose_hash);
    return commit_token;
  };
  const commit = (token: string) =>
    member.call('commitCvmUpdate', { path, body: { token, compose_hash: '', transaction_hash: '' } });
  const older = await prepare({ ...compose('nginx:7'), ...sealed('ab') });
  expect((await member.call('updateCvmEnvs', { path, body: sealed('cd') })).status).toBe(202);
  await settle(vm_uuid);
  expect(refusal(await commit(older))).toEqual([466, expect.stringContaining('Secrets have been updated')]);
  // A change without secrets keeps the current ones.
  const plain = await prepare(compose('nginx:8'));
  expect((await member.call('updateCvmEnvs', { path, body: sealed('ef') })).status).toBe(202);
  await settle(vm_uuid);
  expect((await commit(plain)).status).toBe(202);
});

it('refuses a change that can no longer be allowed instead of storing it', async () => {
  const { path, app, vm_uuid, allow, renounce } = await deploy('renounced');
  const update = (image: string) => member.call('patchCvm', { path, body: compose(image) });
  const { compose_hash: known } = waiting(await update('nginx:9'));
  await allow(known);
  const { compose_hash, commit_token: token } = waiting(await update('nginx:10'));
  await renounce();
  const refused = [
    468,
    expect.stringMatching(/Compose hash not allowed.*no longer has an owner, so nobody can/),
  ];
  expect(refusal(await update('nginx:11'))).toEqual(refused);
  // One pending from before.
  const commit = { token, compose_hash, transaction_hash: '' };
  expect(refusal(await member.call('commitCvmUpdate', { path, body: commit }))).toEqual(refused);
  // Clients that register the hash before sending the change.
  const provisioned = await member.call('provisionCvmComposeFile', { path, body: compose('nginx:11') });
  expect(refusal(provisioned)).toEqual(refused);
  const body = compose('nginx:12');
  expect(refusal(await member.call('createRollout', { path: app, body }))).toEqual(refused);
  const elsewhere = await server.services.db
    .selectFrom('teepods')
    .innerJoin('nodes', 'nodes.id', 'teepods.node_id')
    .select('teepods.id')
    .where('nodes.device_id', '=', OTHER_DEVICE)
    .executeTakeFirstOrThrow();
  const replica = await member.call('createCvmReplica', { path, body: { node_id: elsewhere.id } });
  expect(refusal(replica)).toEqual([
    468,
    expect.stringMatching(/Device not allowed.*no longer has an owner/),
  ]);
  // Nothing new is stored, and already allowed changes still run.
  expect((await member.call('listApprovals', { path: app })).body).toHaveLength(1);
  expect((await update('nginx:9')).status).toBe(202);
  await settle(vm_uuid);
});

it('reports which change a newer one replaces and which was withdrawn', async () => {
  const { path, app } = await deploy('replaced');
  const update = (image: string) => member.call('patchCvm', { path, body: compose(image) });
  const told = async () =>
    (await member.call('listEvents', { query: { cvm: path.cvm_id } })).body.data
      .filter(({ kind }) => /^update\.(replaced|withdrawn)$/.test(kind))
      .map(({ message }) => message);
  waiting(await update('nginx:20'));
  // Repeating the same change replaces nothing.
  waiting(await update('nginx:20'));
  expect(await told()).toEqual([]);
  waiting(await update('nginx:21'));
  expect(await told()).toEqual([
    "The update to revision 2, which waited for the app's contract, was replaced by one with revision 3",
  ]);
  const [{ approval_id } = { approval_id: '' }] = (await member.call('listApprovals', { path: app })).body;
  expect((await member.call('withdrawApproval', { path: { ...app, approval_id } })).status).toBe(204);
  expect((await told())[0]).toBe(
    "The update to revision 3, which waited for the app's contract, was withdrawn",
  );
  const { revisions } = (await member.call('listAppRevisions', { path: app })).body;
  expect(revisions.map(({ state }) => state)).toEqual(['withdrawn', 'withdrawn', 'live']);
});

it('lists as overtaken exactly the rollouts whose commit is refused as such', async () => {
  const { path, app, vm_uuid, allow } = await deploy('overtaken-rollouts');
  await allow(OTHER_DEVICE, 'addDevice');
  const node_id = governed.hosts[1].teepod.id;
  const { body: replica } = await member.call('createCvmReplica', { path, body: { node_id } });
  const other = String(replica.vm_uuid);
  await settle(other);
  const update = async (cvm_id: string, image: string) => {
    const change = { path: { cvm_id }, body: compose(image) };
    await allow(waiting(await member.call('patchCvm', change)).compose_hash);
    expect((await member.call('patchCvm', change)).status).toBe(202);
    await settle(cvm_id);
  };
  waiting(await member.call('patchCvm', { path, body: compose('nginx:30') }));
  await update(other, 'nginx:31');
  const { revisions } = (await member.call('listAppRevisions', { path: app })).body;
  const revision_id = revisions.find(({ state }) => state === 'awaiting_approval')?.revision_id ?? '';
  // One for all CVMs, from the newest revision, and one for the first only, named as some clients do.
  const all = waiting(await member.call('createRollout', { path: app, body: compose('nginx:32') }));
  const first = waiting(
    await member.call('redeployAppRevision', {
      path: { ...app, revision_id },
      body: { vm_uuids: [vm_uuid.replaceAll('-', '').toUpperCase()] },
    }),
  );
  const rollouts = async () =>
    (await member.call('listApprovals', { path: app })).body.filter(({ kind }) => kind === 'rollout');
  const shown = async () =>
    (await rollouts()).map((one) => [one.cvm?.vm_uuid, one.base_revision.revision_number, one.overtaken]);
  expect(await shown()).toEqual([
    [vm_uuid, 1, false],
    [other, 3, false],
  ]);
  await update(other, 'nginx:33');
  expect(await shown()).toEqual([
    [vm_uuid, 1, false],
    [other, 3, true],
  ]);
  for (const { compose_hash } of [all, first]) await allow(compose_hash);
  const [ofFirst, ofAll] = await rollouts();
  const commit = (approval_id = '') => member.call('commitApproval', { path: { ...app, approval_id } });
  expect(refusal(await commit(ofAll?.approval_id))).toEqual([
    466,
    expect.stringContaining('has been updated since'),
  ]);
  const done = await commit(ofFirst?.approval_id);
  expect(done.status, JSON.stringify(done.body)).toBe(200);
});
