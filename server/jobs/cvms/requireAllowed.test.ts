import { afterAll, beforeAll, expect, it } from 'vitest';
import type { CommitCvm, Provision } from '../../../generated/api/types.gen';
import {
  addGuardedHost,
  composeOf,
  DEVICE,
  startGuardedWorld,
  type GuardedWorld,
} from '../../operations/cvms/onChain/testing/guarded';
import { eventually, startTestServer, type TestClient, type TestServer } from '../../testing/server';

/**
 * A running CVM whose contract stops allowing it keeps running: the contract is read before anything is
 * stopped.
 */
let world: GuardedWorld;
let server: TestServer;
let member: TestClient;

beforeAll(async () => {
  world = await startGuardedWorld({ stage_ms: 5, images: ['dstack-0.6.0'] });
  server = await startTestServer({ env: { LOCAL_CHAIN_RPC_URL: world.gate.url } });
  await addGuardedHost(server.services.db, world);
  member = await server.register();
});
afterAll(async () => {
  await server?.stop();
  await world?.close();
});

async function deploy(name: string) {
  const provisioned = await member.call('provisionCvm', {
    body: { name, compose_file: composeOf(`nginx:${name}`), kms: 'BASE' },
  });
  expect(provisioned.status, JSON.stringify(provisioned.body)).toBe(200);
  const { compose_hash } = provisioned.body as Provision;
  const app = await world.contract.deployApp({ compose_hash, device_id: DEVICE, from: world.owner });
  const made = await member.call('createCvm', { body: { app_id: app.address, compose_hash } });
  expect(made.status, JSON.stringify(made.body)).toBe(200);
  const path = { cvm_id: String((made.body as CommitCvm).vm_uuid) };
  await settled(path);
  return { app, compose_hash, path };
}

const cvmOf = async (path: { cvm_id: string }) => (await member.call('getCvm', { path })).body;

const settled = (path: { cvm_id: string }) =>
  eventually('its operation has ended', async () => {
    const cvm = await cvmOf(path);
    return 'in_progress' in cvm && !cvm.in_progress ? cvm : null;
  });

async function lastOperation({ cvm_id }: { cvm_id: string }) {
  const { db } = server.services;
  return db
    .selectFrom('operations')
    .innerJoin('cvms', 'cvms.id', 'operations.cvm_id')
    .select(['operations.type', 'operations.state', 'operations.error_message', 'operations.steps'])
    .where('cvms.vm_uuid', '=', cvm_id)
    .orderBy('operations.id', 'desc')
    .executeTakeFirstOrThrow();
}

const stops = () => world.fake.requests.filter((path) => /\/(StopVm|ShutdownVm)\b/.test(path)).length;

it.each([
  ['removeComposeHash', 'Compose hash not allowed'],
  ['removeDevice', 'Device not allowed'],
] as const)('restart and resize leave a CVM running after %s', async (revoke, reason) => {
  const { app, path, compose_hash } = await deploy(revoke.toLowerCase());
  const revoked = revoke === 'removeDevice' ? DEVICE : compose_hash;
  await app.send(revoke, [`0x${revoked}`], world.owner);
  const before = stops();
  for (const [type, send] of [
    ['restart', () => member.call('restartCvm', { path, body: { force: true } })],
    [
      'resize',
      () => member.call('updateCvmResources', { path, body: { memory: 4096, allow_restart: true } }),
    ],
  ] as const) {
    const reply = await send();
    expect(reply.status, JSON.stringify(reply.body)).toBeLessThan(300);
    expect(await settled(path)).toMatchObject({ status: 'running' });
    expect(await lastOperation(path)).toMatchObject({
      type,
      state: 'failed',
      error_message: expect.stringContaining(reason) as string,
    });
  }
  expect(stops()).toBe(before);
});

it('a restart waits for a chain that is down, with the CVM running', async () => {
  const { path } = await deploy('unreadable');
  const before = stops();
  world.gate.mode = 'down';
  try {
    await member.call('restartCvm', { path, body: {} });
    await eventually('it asks the contract', async () =>
      (await lastOperation(path)).steps.some(({ name }) => name === "ask the app's contract"),
    );
    expect(stops()).toBe(before);
  } finally {
    world.gate.mode = 'open';
  }
  expect(await settled(path)).toMatchObject({ status: 'running' });
  expect(await lastOperation(path)).toMatchObject({ type: 'restart', state: 'succeeded' });
  expect(stops()).toBeGreaterThan(before);
});
