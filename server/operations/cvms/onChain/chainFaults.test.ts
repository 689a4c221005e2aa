import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { CommitCvm, Provision } from '../../../../generated/api/types.gen';
import { startTestServer, type TestClient, type TestServer } from '../../../testing/server';
import type { RpcGate } from '../../../testing/chain';
import {
  addGuardedHost,
  composeOf,
  DEVICE,
  startGuardedWorld,
  waitingChange,
  type GuardedWorld,
} from './testing/guarded';

/** User-visible behavior while the chain fails or reorganizes. */
let world: GuardedWorld;
let server: TestServer;
let member: TestClient;

beforeAll(async () => {
  world = await startGuardedWorld();
  // No worker: an accepted change stays visible as its queued operation.
  server = await startTestServer({ env: { TEEHOUSE_ROLE: 'web', LOCAL_CHAIN_RPC_URL: world.gate.url } });
  await addGuardedHost(server.services.db, world);
  member = await server.register();
});
afterAll(async () => {
  await server?.stop();
  await world?.close();
});

const provision = async (name: string) => {
  const reply = await member.call('provisionCvm', {
    body: { name, compose_file: composeOf(`nginx:${name}`), kms: 'BASE' },
  });
  expect(reply.status, JSON.stringify(reply.body)).toBe(200);
  return reply.body as Provision;
};

const deployApp = (compose_hash: string) =>
  world.contract.deployApp({ compose_hash, device_id: DEVICE, from: world.owner });

async function deploy(name: string) {
  const { compose_hash } = await provision(name);
  const app = await deployApp(compose_hash);
  const made = await member.call('createCvm', { body: { app_id: app.address, compose_hash } });
  expect(made.status, JSON.stringify(made.body)).toBe(200);
  const cvm_id = String((made.body as CommitCvm).vm_uuid);
  await sql`update operations set state = 'succeeded', finished_at = now() where cvm_id = (select id from cvms where vm_uuid = ${cvm_id})`.execute(
    server.services.db,
  );
  await sql`update cvms set status = 'running', host_vm_id = ${randomUUID()} where vm_uuid = ${cvm_id}`.execute(
    server.services.db,
  );
  const allow = async (hash: string) =>
    (await app.send('addComposeHash', [`0x${hash}`], world.owner)).transactionHash;
  return { app, compose_hash, path: { cvm_id }, of: { app_id: app.address }, allow };
}

const refusal = ({ status, body }: { status: number; body: unknown }) => ({
  status,
  message: (body as { message: string }).message,
  advice: (body as { suggestions: string[] }).suggestions.join(' '),
});

async function during<T>(mode: RpcGate['mode'], work: () => Promise<T>): Promise<T> {
  world.gate.mode = mode;
  try {
    return await work();
  } finally {
    world.gate.mode = 'open';
  }
}

it.each([
  ['down', /isn't responding/],
  ['status_500', /returned status 500/],
  ['nonsense', /invalid response/],
  ['other_chain', /serves chain 1, not 31337/],
] as const)('reports a node failure (%s) at each step, and continues once it recovers', async (mode, why) => {
  const unanswered = { status: 502, message: expect.stringMatching(why) as string };
  const name = `node-${mode.replace('_', '-')}`;
  // Reserving capacity doesn't query the chain.
  const { compose_hash } = await during(mode, () => provision(name));
  const app = await deployApp(compose_hash);
  const body = { app_id: app.address, compose_hash };
  const commit = () => member.call('createCvm', { body });
  expect(refusal(await during(mode, commit))).toMatchObject(unanswered);
  expect((await commit()).status).toBe(200);

  const { path, of, allow } = await deploy(`${name}-update`);
  const change = () => member.call('patchCvm', { path, body: composeOf('nginx:next') });
  expect(refusal(await during(mode, change))).toMatchObject(unanswered);
  const waiting = waitingChange(await change());
  const transaction_hash = await allow(waiting.compose_hash);
  const confirm = (transaction: string) =>
    member.call('commitCvmUpdate', {
      path,
      body: { token: waiting.commit_token, compose_hash: '', transaction_hash: transaction },
    });
  for (const transaction of [transaction_hash, ''])
    expect(refusal(await during(mode, () => confirm(transaction)))).toMatchObject(unanswered);
  // Fails only after reporting that the hash is allowed.
  const half = await during('no_receipts', () => confirm(transaction_hash));
  expect(refusal(half)).toMatchObject({
    status: 502,
    message: expect.stringContaining('refused the request') as string,
  });
  const shown = await during(mode, () =>
    Promise.all([
      member.call('listApprovals', { path: of }),
      member.call('checkAppCvmsIsAllowed', { path: of, body: {} }),
      member.call('getAppContract', { path: of }),
    ]),
  );
  expect(shown[0].body).toMatchObject([{ is_allowed: null, compose_hash_allowed: null }]);
  expect(shown[1].body).toMatchObject({ allowed_count: 0, error_count: 1 });
  expect(shown[2].body).toMatchObject({ policy: null, error: expect.stringMatching(why) as string });
  expect(JSON.stringify(shown)).not.toContain('key-9f3a');
  expect((await member.call('getCvm', { path })).body).toMatchObject({
    status: 'running',
    in_progress: false,
  });
  expect((await confirm(transaction_hash)).status).toBe(202);
});

it('reverts its answer when a reorganization undoes a deployment', async () => {
  const { compose_hash } = await provision('reorganized');
  const { client } = world.chain;
  const snapshot = await client.snapshot();
  const app = await deployApp(compose_hash);
  await client.mine({ blocks: 2 });
  const body = { app_id: app.address, compose_hash };
  const made = await member.call('createCvm', { body });
  expect(made.status).toBe(200);
  const path = { cvm_id: String((made.body as CommitCvm).vm_uuid) };
  const of = { app_id: app.address };
  const allowed = async () => (await member.call('checkAppCvmsIsAllowed', { path: of, body: {} })).body;
  expect(await allowed()).toMatchObject({ allowed_count: 1 });
  await sql`update operations set state = 'succeeded', finished_at = now() where cvm_id = (select id from cvms where vm_uuid = ${path.cvm_id})`.execute(
    server.services.db,
  );
  await sql`update cvms set status = 'running', host_vm_id = ${randomUUID()} where vm_uuid = ${path.cvm_id}`.execute(
    server.services.db,
  );
  // Three blocks are replaced by four others.
  await client.revert({ id: snapshot });
  await client.mine({ blocks: 4 });
  expect(await allowed()).toMatchObject({
    allowed_count: 0,
    denied_count: 1,
    results: [{ is_allowed: false, error: 'App not registered' }],
  });
  expect((await member.call('getAppContract', { path: of })).body).toMatchObject({
    policy: { registered: false },
    compose_hashes: [],
  });
  // No hash or device its owner could add would help, so the change isn't stored as pending.
  const change = () => member.call('patchCvm', { path, body: composeOf('nginx:after') });
  expect(refusal(await change())).toMatchObject({
    status: 468,
    message: expect.stringContaining('is no longer on its chain: App not registered') as string,
    advice: expect.stringContaining('Send that transaction again') as string,
  });
  // The same transaction gives the contract the same address.
  expect((await deployApp(compose_hash)).address).toBe(app.address);
  expect(await allowed()).toMatchObject({ allowed_count: 1 });
  expect((await change()).status).toBe(465);
});

it('shows an update as refused again when a reorganization undoes its approval', async () => {
  const { path, of, allow } = await deploy('undone');
  const waiting = waitingChange(
    await member.call('patchCvm', { path, body: composeOf('nginx:undone-next') }),
  );
  const { client } = world.chain;
  const confirm = (transaction_hash: string) =>
    member.call('commitCvmUpdate', {
      path,
      body: { token: waiting.commit_token, compose_hash: '', transaction_hash },
    });
  let snapshot = await client.snapshot();
  const undone = await allow(waiting.compose_hash);
  await client.mine({ blocks: 2 });
  await client.revert({ id: snapshot });
  await client.mine({ blocks: 4 });
  expect(refusal(await confirm(''))).toMatchObject({
    status: 468,
    message: expect.stringContaining('Compose hash not allowed') as string,
  });
  snapshot = await client.snapshot();
  const transaction_hash = await allow(waiting.compose_hash);
  expect(refusal(await confirm(undone === transaction_hash ? `0x${'9'.repeat(64)}` : undone))).toMatchObject({
    status: 467,
    advice: expect.stringContaining('undone by a reorganization') as string,
  });
  await client.mine({ blocks: 2 });
  const done = await confirm(transaction_hash);
  expect(done.status).toBe(202);
  await client.revert({ id: snapshot });
  await client.mine({ blocks: 4 });
  // Already committed: the worker rechecks before touching the host.
  expect((await confirm(transaction_hash)).body).toEqual(done.body);
  const { body } = await member.call('checkAppIsAllowed', {
    path: of,
    body: { compose_hash: waiting.compose_hash, device_id: DEVICE },
  });
  expect(body).toMatchObject({ is_allowed: false, error: 'Compose hash not allowed' });
  const { revisions } = (await member.call('listAppRevisions', { path: of })).body;
  expect(revisions.map(({ state }) => state)).not.toContain('awaiting_approval');
  expect(revisions[0]?.state).not.toBe('live');
});

it('distinguishes a pending transaction from a replaced one', async () => {
  const { path, app } = await deploy('replaced');
  const waiting = waitingChange(
    await member.call('patchCvm', { path, body: composeOf('nginx:replaced-next') }),
  );
  const { client } = world.chain;
  const confirm = (transaction_hash: string) =>
    member.call('commitCvmUpdate', {
      path,
      body: { token: waiting.commit_token, compose_hash: '', transaction_hash },
    });
  await client.setAutomine(false);
  try {
    const nonce = await client.getTransactionCount({ address: world.owner });
    const send = (maxFeePerGas: bigint, to = app.address) =>
      client.writeContract({
        address: to,
        abi: app.abi,
        functionName: 'addComposeHash',
        args: [`0x${waiting.compose_hash}`],
        account: world.owner,
        nonce,
        gas: 200_000n,
        maxFeePerGas,
        maxPriorityFeePerGas: maxFeePerGas,
      });
    const gwei = 1_000_000_000n;
    const slow = await send(3n * gwei);
    expect(refusal(await confirm(slow))).toMatchObject({
      status: 467,
      message: expect.stringContaining("isn't in a Local development block yet") as string,
    });
    const faster = await send(30n * gwei);
    await client.mine({ blocks: 1 });
    expect(refusal(await confirm(slow))).toMatchObject({
      status: 467,
      message: expect.stringContaining("doesn't know the transaction") as string,
      advice: expect.stringContaining('the hash of the new transaction') as string,
    });
    expect((await confirm(faster)).status).toBe(202);
  } finally {
    await client.setAutomine(true);
  }
});

it('refuses a change whose transaction was replaced by a no-op', async () => {
  const { path, app } = await deploy('canceled');
  const waiting = waitingChange(
    await member.call('patchCvm', { path, body: composeOf('nginx:canceled-next') }),
  );
  const { client } = world.chain;
  await client.setAutomine(false);
  try {
    const nonce = await client.getTransactionCount({ address: world.owner });
    const fees = (gwei: bigint) => ({
      maxFeePerGas: gwei * 1_000_000_000n,
      maxPriorityFeePerGas: gwei * 1_000_000_000n,
    });
    await client.writeContract({
      address: app.address,
      abi: app.abi,
      functionName: 'addComposeHash',
      args: [`0x${waiting.compose_hash}`],
      account: world.owner,
      nonce,
      gas: 200_000n,
      ...fees(3n),
    });
    // Wallets cancel this way: same nonce, sent to themselves.
    const cancel = await client.sendTransaction({
      account: world.owner,
      to: world.owner,
      value: 0n,
      nonce,
      gas: 21_000n,
      ...fees(30n),
    });
    await client.mine({ blocks: 1 });
    const body = { token: waiting.commit_token, compose_hash: '', transaction_hash: cancel };
    expect(refusal(await member.call('commitCvmUpdate', { path, body }))).toMatchObject({
      status: 467,
      message: expect.stringContaining("doesn't involve the contract") as string,
    });
    expect(
      refusal(await member.call('commitCvmUpdate', { path, body: { ...body, transaction_hash: '' } })),
    ).toMatchObject({ status: 468 });
  } finally {
    await client.setAutomine(true);
  }
});
