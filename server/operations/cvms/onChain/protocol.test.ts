import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { TestHost } from '../../../testing/cvmFixtures';
import type { RpcGate, TestContract } from '../../../testing/chain';
import {
  compose,
  DEVICE,
  IMAGE,
  OTHER_DEVICE,
  refusal,
  startGovernedApps,
  waiting,
  type GovernedApps,
} from '../../../testing/governedApps';
import type { TestClient, TestServer } from '../../../testing/server';

/** Changes of an app whose keys a contract guards: nothing happens before the contract allows it. */
let governed: GovernedApps;
let server: TestServer;
let gate: RpcGate;
let contract: TestContract;
let hosts: readonly TestHost[];
let member: TestClient;
let deploy: GovernedApps['deploy'];
let settle: GovernedApps['settle'];

beforeAll(async () => {
  governed = await startGovernedApps();
  ({ server, gate, contract, hosts, member, deploy, settle } = governed);
});
afterAll(() => governed?.stop());

it('holds an update until the contract allows its compose hash, then commits it once', async () => {
  const { path, app, vm_uuid, allow } = await deploy('held-app');
  const change = { path, body: compose('nginx:stable') };
  const first = waiting(await member.call('patchCvm', change));
  expect(first).toMatchObject({
    device_id: DEVICE,
    kms_info: { chain_id: 31337, kms_contract_address: contract.address },
    onchain_status: {
      compose_hash_allowed: false,
      device_id_allowed: true,
      is_allowed: false,
    },
  });
  const { compose_hash } = first;
  expect((await member.call('getCvm', { path })).body).toMatchObject({
    status: 'running',
    in_progress: false,
  });
  const revisions = async () =>
    (await member.call('listAppRevisions', { path: app })).body.revisions.map((one) => [
      one.revision_number,
      one.state,
    ]);
  expect(await revisions()).toEqual([
    [2, 'awaiting_approval'],
    [1, 'live'],
  ]);
  const { body: events } = await member.call('listEvents', {});
  expect(JSON.stringify(events)).toContain('update.pending_approval');

  // Repeating the change: one revision, and only the newest token works.
  const second = waiting(await member.call('patchCvm', change));
  expect(second.compose_hash).toBe(compose_hash);
  expect(await revisions()).toHaveLength(2);
  const anyone = member.with({ cookie: '' });
  const commit = (token: string, transaction_hash = '', of = path) =>
    anyone.call('commitCvmUpdate', {
      path: of,
      body: { token, compose_hash, transaction_hash },
    });
  expect((await commit(first.commit_token)).status).toBe(466);
  expect((await commit(second.commit_token, '', { cvm_id: randomUUID() })).status).toBe(466);
  // The token loses its right when its member may no longer deploy.
  const asRole = (role: 'viewer' | 'owner') =>
    server.services.db.updateTable('memberships').set({ role }).execute();
  await asRole('viewer');
  expect((await commit(second.commit_token)).status).toBe(466);
  await asRole('owner');
  expect(refusal(await commit(second.commit_token))).toEqual([
    468,
    expect.stringContaining('Compose hash not allowed'),
  ]);
  expect(refusal(await commit(second.commit_token, `0x${'9'.repeat(64)}`))).toEqual([
    467,
    expect.stringContaining("doesn't know the transaction"),
  ]);
  const unrelated = (await contract.send('setGatewayAppId', ['any'])).transactionHash;
  expect(refusal(await commit(second.commit_token, unrelated))).toEqual([
    467,
    expect.stringContaining("doesn't involve"),
  ]);

  const transaction = await allow(compose_hash);
  gate.mode = 'status_500';
  expect((await commit(second.commit_token, transaction)).status).toBe(502);
  gate.mode = 'open';
  const done = await commit(second.commit_token, transaction);
  expect(done.status, JSON.stringify(done.body)).toBe(202);
  expect((await commit(second.commit_token, transaction)).body).toEqual(done.body);
  expect((await member.call('getCvm', { path })).body).toMatchObject({
    status: 'updating',
  });
  await settle(vm_uuid);
  expect((await revisions())[0]).toEqual([2, 'live']);
});

it('lets clients confirm with the hash and transaction of the change', async () => {
  const { path, vm_uuid, allow } = await deploy('confirmed');
  const { compose_hash } = waiting(await member.call('patchCvm', { path, body: compose('nginx:1') }));
  const confirm = (hash: string, transaction: string) =>
    member
      .with({ 'x-compose-hash': hash, 'x-transaction-hash': transaction })
      .call('patchCvm', { path, body: {} });
  expect((await confirm('ab'.repeat(32), 'already-registered')).status).toBe(466);
  expect((await confirm(compose_hash, 'already-registered')).status).toBe(468);
  expect((await confirm(`0x${compose_hash.toUpperCase()}`, await allow(compose_hash))).status).toBe(202);
  await settle(vm_uuid);

  // New values keep the hash; another name changes it, and the repeated request sends hash and transaction.
  const encrypted_env = 'ab'.repeat(80);
  const envs = (body: Record<string, unknown>) =>
    member.call('updateCvmEnvs', { path, body: { encrypted_env, ...body } });
  expect((await envs({})).status).toBe(202);
  await settle(vm_uuid);
  const named = waiting(await envs({ env_keys: ['TOKEN'] }));
  const transaction_hash = await allow(named.compose_hash);
  const body = {
    env_keys: ['TOKEN'],
    compose_hash: named.compose_hash,
    transaction_hash,
  };
  expect((await envs({ ...body, compose_hash: 'cd'.repeat(32) })).status).toBe(466);
  expect((await envs(body)).body).toMatchObject({ allowed_envs_changed: true });
  await settle(vm_uuid);

  // Prepared only: nothing happens even though everything is allowed.
  const prepared = waiting(
    await member.with({ 'x-prepare-only': 'true' }).call('patchCvm', { path, body: compose('nginx:1') }),
  );
  expect(prepared.api_commit_url).toContain(`/cvms/${vm_uuid}/commit-update?token=${prepared.commit_token}`);
  expect((await member.call('getCvm', { path })).body).toMatchObject({
    status: 'running',
  });
  // After another change, the prepared one no longer applies.
  await allow(waiting(await member.call('patchCvm', { path, body: compose('nginx:2') })).compose_hash);
  expect((await member.call('patchCvm', { path, body: compose('nginx:2') })).status).toBe(202);
  await settle(vm_uuid);
  const late = {
    token: prepared.commit_token,
    compose_hash: '',
    transaction_hash: '',
  };
  expect((await member.call('commitCvmUpdate', { path, body: late })).status).toBe(466);
});

it('reports which pending change was overtaken and which commit failed', async () => {
  const { path, app, vm_uuid, allow } = await deploy('overtaken');
  const prepare = async (image: string) => {
    const held = waiting(await member.call('patchCvm', { path, body: compose(image) }));
    await allow(held.compose_hash);
    return held.commit_token;
  };
  const commit = (token: string) =>
    member.call('commitCvmUpdate', { path, body: { token, compose_hash: '', transaction_hash: '' } });
  const list = async () => (await member.call('listApprovals', { path: app })).body;
  const replica = waiting(
    await member.call('createCvmReplica', { path, body: { node_id: hosts[1]?.teepod.id } }),
  );
  await allow(OTHER_DEVICE, 'addDevice');
  expect(await list()).toMatchObject([{ kind: 'replica', is_allowed: true, overtaken: false }]);
  const token = await prepare('nginx:overtaking');
  // Several concurrent commits: one is carried out, and the others return its operation.
  const [first, ...others] = await Promise.all([commit(token), commit(token), commit(token)]);
  expect(first?.status, JSON.stringify(first?.body)).toBe(202);
  for (const other of others) expect(other.body).toEqual(first?.body);
  await settle(vm_uuid);
  expect(await list()).toMatchObject([
    {
      kind: 'replica',
      is_allowed: false,
      overtaken: true,
      error: expect.stringContaining('has been updated since') as string,
    },
  ]);
  const late = { token: replica.commit_token, compose_hash: '', transaction_hash: '' };
  expect((await member.call('commitCvmReplica', { path, body: late })).status).toBe(466);

  const failing = await prepare('nginx:failing');
  expect((await commit(failing)).status).toBe(202);
  await server.services.db
    .updateTable('operations')
    .set({ state: 'failed', error_message: 'Boot error: no image' })
    .where('state', '=', 'queued')
    .where('cvm_id', '=', (eb) => eb.selectFrom('cvms').select('id').where('vm_uuid', '=', vm_uuid))
    .execute();
  expect(refusal(await commit(failing))).toEqual([466, expect.stringContaining('Boot error: no image')]);
});

it('accepts a replica’s token only with its original request', async () => {
  const { app, allow } = await deploy('repeated');
  const request = {
    ...compose('nginx:repeated'),
    name: 'repeated-here',
    node_id: hosts[0]?.teepod.id,
  };
  const held = waiting(await member.call('createAppInstance', { path: app, body: request }));
  await allow(held.compose_hash);
  const { commit_token: token, compose_hash } = held;
  const confirm = (body: Record<string, unknown>) =>
    member.call('createAppInstance', {
      path: app,
      body: { token, compose_hash, transaction_hash: '', ...body },
      headers: { 'idempotency-key': randomUUID() },
    });
  for (const [field, other] of [
    ['docker_compose_file', compose('nginx:another')],
    ['name', { name: 'another-name' }],
    ['pre_launch_script', { pre_launch_script: 'echo another' }],
  ] as const)
    expect(refusal(await confirm({ ...request, ...other }))).toEqual([
      466,
      expect.stringContaining(`another ${field}`),
    ]);
  const made = await confirm(request);
  expect(made.status, JSON.stringify(made.body)).toBe(200);
  expect(made.body).toMatchObject({ name: 'repeated-here' });
});

it('refuses changes that no app owner can allow, and stores nothing while the chain is unreachable', async () => {
  const { path } = await deploy('refused');
  await contract.send('removeOsImageHash', [`0x${IMAGE}`]);
  const values = { path, body: { encrypted_env: 'ab'.repeat(80) } };
  expect(refusal(await member.call('updateCvmEnvs', values))).toEqual([
    468,
    expect.stringContaining('OS image is not allowed'),
  ]);
  await contract.send('addOsImageHash', [`0x${IMAGE}`]);
  gate.mode = 'status_500';
  expect((await member.call('patchCvm', { path, body: compose('nginx:3') })).status).toBe(502);
  gate.mode = 'open';
  const { n } = await server.services.db
    .selectFrom('approvals')
    .innerJoin('cvms', 'cvms.id', 'approvals.cvm_id')
    .select((eb) => eb.fn.countAll<number>().as('n'))
    .where('cvms.vm_uuid', '=', path.cvm_id)
    .executeTakeFirstOrThrow();
  expect(Number(n)).toBe(0);
});

it('holds back a replica until its machine is allowed, and commits it once', async () => {
  const { path, app, allow } = await deploy('doubled');
  const request = { path, body: { node_id: hosts[1]?.teepod.id } };
  const held = waiting(await member.call('createCvmReplica', request));
  expect(held).toMatchObject({
    device_id: OTHER_DEVICE,
    onchain_status: {
      compose_hash_allowed: true,
      device_id_allowed: false,
      is_allowed: false,
    },
  });
  const { commit_token: token, compose_hash } = held;
  const body = {
    token,
    compose_hash,
    transaction_hash: await allow(OTHER_DEVICE, 'addDevice'),
  };
  const stranger = await server.register();
  expect((await stranger.call('commitCvmReplica', { path, body })).status).toBe(404);
  const made = await member.call('commitCvmReplica', { path, body });
  expect(made.status, JSON.stringify(made.body)).toBe(200);
  const again = await member.call('createAppInstance', {
    path: app,
    body,
    headers: { 'idempotency-key': randomUUID() },
  });
  expect(again.body).toMatchObject({ vm_uuid: made.body.vm_uuid });
});

it('holds back a rollout until the contract allows it on every machine, and commits it from the list', async () => {
  const { app, vm_uuid, allow } = await deploy('rolled');
  const create = { path: app, body: { ...compose('nginx:4'), reason: 'newer' } };
  const {
    compose_hash,
    commit_token: token,
    api_commit_url,
  } = waiting(await member.call('createRollout', create));
  expect((await member.call('listRollouts', { path: app })).body).toMatchObject({ data: [] });
  const list = async () => (await member.call('listApprovals', { path: app })).body;
  const shown = {
    kind: 'rollout',
    cvm: { vm_uuid },
    revision: { revision_number: 2 },
    base_revision: { revision_number: 1 },
    compose_hash,
  };
  expect(await list()).toMatchObject([
    {
      ...shown,
      compose_hash_allowed: false,
      devices: [{ device_id: DEVICE, allowed: true }],
      is_allowed: false,
      error: 'Compose hash not allowed',
    },
  ]);
  gate.mode = 'status_500';
  expect(await list()).toMatchObject([{ ...shown, compose_hash_allowed: null, is_allowed: null }]);
  gate.mode = 'open';
  const [{ approval_id } = { approval_id: '' }] = await list();
  const path = { ...app, approval_id };
  const stranger = await server.register();
  expect((await stranger.call('commitApproval', { path })).status).toBe(404);
  expect((await stranger.call('listApprovals', { path: app })).status).toBe(404);
  expect((await stranger.call('withdrawApproval', { path })).status).toBe(404);
  expect((await member.call('commitApproval', { path })).status).toBe(468);
  const transaction_hash = await allow(compose_hash);
  expect(await list()).toMatchObject([{ ...shown, is_allowed: true, error: null }]);
  // As in the 465 reply: its URL, with the token.
  const url = new URL(String(api_commit_url));
  expect(url.pathname).toBe(
    `/api/v1/apps/${app.app_id.replace(/^0x/, '').toLowerCase()}/approvals/${approval_id}/commit`,
  );
  const wrong = { token: 'another', compose_hash, transaction_hash };
  expect((await member.call('commitApproval', { path, body: wrong })).status).toBe(466);
  const done = await member.call('commitApproval', {
    path,
    body: { token, compose_hash, transaction_hash },
  });
  expect(done.status, JSON.stringify(done.body)).toBe(200);
  expect((await member.call('listRollouts', { path: app })).body.data).toMatchObject([
    { rollout_id: done.body.rollout_id, reason: 'newer', revision: { revision_number: 2 } },
  ]);
  expect(await list()).toEqual([]);
  expect((await member.call('commitApproval', { path })).status).toBe(466);
});

it('forgets a change that is withdrawn', async () => {
  const { path, app, allow } = await deploy('withdrawn');
  const { compose_hash, commit_token } = waiting(
    await member.call('patchCvm', { path, body: compose('nginx:5') }),
  );
  const [{ approval_id } = { approval_id: '' }] = (await member.call('listApprovals', { path: app })).body;
  const withdraw = () => member.call('withdrawApproval', { path: { ...app, approval_id } });
  expect((await withdraw()).status).toBe(204);
  expect((await withdraw()).status).toBe(404);
  await allow(compose_hash);
  const commit = { token: commit_token, compose_hash: '', transaction_hash: '' };
  expect((await member.call('commitCvmUpdate', { path, body: commit })).status).toBe(466);
  const { revisions } = (await member.call('listAppRevisions', { path: app })).body;
  expect(revisions.map(({ state }) => state)).toEqual(['withdrawn', 'live']);
});
