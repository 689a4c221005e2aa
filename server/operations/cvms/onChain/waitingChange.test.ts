import { afterAll, beforeAll, expect, it } from 'vitest';
import {
  compose,
  refusal,
  startGovernedApps,
  waiting,
  type GovernedApps,
} from '../../../testing/governedApps';
import type { TestClient, TestServer } from '../../../testing/server';

/** What becomes of the rest of a change while it waits for its contract. */
let governed: GovernedApps;
let server: TestServer;
let member: TestClient;
let deploy: GovernedApps['deploy'];
let settle: GovernedApps['settle'];

beforeAll(async () => {
  governed = await startGovernedApps();
  ({ server, member, deploy, settle } = governed);
});
afterAll(() => governed?.stop());

it('lists and resizes with an update when it is committed, not while it waits', async () => {
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

it('brings back no secrets that were replaced while a change waited', async () => {
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
  // Without secrets of its own, a change keeps the present ones.
  const plain = await prepare(compose('nginx:8'));
  expect((await member.call('updateCvmEnvs', { path, body: sealed('ef') })).status).toBe(202);
  await settle(vm_uuid);
  expect((await commit(plain)).status).toBe(202);
});
