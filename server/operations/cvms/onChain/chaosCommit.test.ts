import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { sha256Hex } from '../../../../console/lib/compose/composeHash';
import { createVmmDriver } from '../../../drivers/vmm/rpc';
import { startChaosServer, type ChaosServer } from '../../../testing/chaosServer';
import { eventually } from '../../../testing/server';
import {
  addGuardedHost,
  composeOf,
  DEVICE,
  startGuardedWorld,
  waitingChange,
  type GuardedWorld,
} from './testing/guarded';

/**
 * Kills the server with `kill -9` between a transaction and its commit: while a change is prepared, and before,
 * during and after the commit. The user then resumes, and the change must happen exactly once; one that isn't
 * resumed must not happen. `CHAOS_CHAIN_KILLS` sets the number of kills, `CHAOS_CHAIN_SEED` repeats a run.
 */
const KILLS = Number(process.env.CHAOS_CHAIN_KILLS ?? 6);
const SEED = Number(process.env.CHAOS_CHAIN_SEED ?? Date.now() % 100_000);
const PHASES = ['during', 'before', 'prepare', 'during', 'after', 'abandoned'] as const;

let world: GuardedWorld;
let server: ChaosServer;
beforeAll(async () => {
  world = await startGuardedWorld({ stage_ms: 5, images: ['dstack-0.6.0'] });
  server = await startChaosServer({
    teepod: false,
    external: true,
    env: { LOCAL_CHAIN_RPC_URL: world.chain.url },
  });
  if (!server.database) throw new Error('the database dies with the server');
  await addGuardedHost(server.database.db, world);
}, 120_000);
afterAll(async () => {
  await server?.close();
  await world?.close();
});

/** Park–Miller generator. */
let state = SEED + 1;
const random = () => (state = (state * 48_271) % 2_147_483_647) / 2_147_483_647;

/** Sends a request and kills the server within milliseconds. Null if it was not acknowledged. */
async function interrupted(...request: Parameters<ChaosServer['call']>) {
  const reply = server.call(...request);
  await wait(random() * 60);
  await server.kill('server');
  return reply;
}

/** Repeats a request until it is acknowledged, as a user or client does. */
async function acknowledged(...request: Parameters<ChaosServer['call']>) {
  for (let tries = 0; tries < 50; tries++) {
    const reply = await server.call(...request);
    if (reply) return reply;
    await wait(100);
  }
  throw new Error('the server stays down');
}

async function deploy() {
  const provisioned = await acknowledged('POST', '/cvms/provision', {
    name: 'committed',
    compose_file: composeOf('nginx:first'),
    kms: 'BASE',
  });
  expect(provisioned.status, JSON.stringify(provisioned.body)).toBe(200);
  const compose_hash = String(provisioned.body.compose_hash);
  const app = await world.contract.deployApp({ compose_hash, device_id: DEVICE, from: world.owner });
  const body = { app_id: app.address, compose_hash };
  // The transaction is in a block, but its commit may be lost.
  await interrupted('POST', '/cvms', body);
  const made = await acknowledged('POST', '/cvms', body);
  expect(made.status, JSON.stringify(made.body)).toBe(200);
  return { app, vm_uuid: String(made.body.vm_uuid) };
}

const running = (vm_uuid: string, compose_hash?: string) =>
  eventually(
    `it runs ${compose_hash ?? 'its first revision'}`,
    async () => {
      const rows = await server.query<{ compose_hash: string }>(
        `select r.compose_hash from cvms c join revisions r on r.id = c.revision_id
         where c.vm_uuid = '${vm_uuid}' and c.status = 'running'
           and not exists (select from operations o where o.cvm_id = c.id and o.state in ('queued', 'running'))`,
      );
      return rows.length === 1 && (compose_hash === undefined || rows[0]?.compose_hash === compose_hash);
    },
    90,
  );

it(
  `a change survives ${KILLS} kills between its transaction and its commit`,
  { timeout: 600_000 },
  async () => {
    console.log(`chaos: ${KILLS} kills between transaction and commit, seed ${SEED}`);
    const { app, vm_uuid } = await deploy();
    await running(vm_uuid);
    let current: string | undefined;
    const committed: string[] = [];
    for (let n = 1; n < KILLS; n++) {
      const phase = PHASES[n % PHASES.length];
      const change = ['PATCH', `/cvms/${vm_uuid}`, composeOf(`nginx:change-${n}`)] as const;
      if (phase === 'prepare') await interrupted(...change);
      const { compose_hash, commit_token } = waitingChange(await acknowledged(...change));
      const { transactionHash } = await app.send('addComposeHash', [`0x${compose_hash}`], world.owner);
      const commit = [
        'POST',
        `/cvms/${vm_uuid}/commit-update`,
        { token: commit_token, compose_hash, transaction_hash: transactionHash },
      ] as const;
      if (phase === 'abandoned') {
        await server.kill('server');
        // Allowed by the contract, awaiting the user.
        const waiting = await acknowledged('GET', `/apps/${app.address}/approvals`);
        expect(waiting.body).toMatchObject([{ compose_hash, is_allowed: true }]);
        await running(vm_uuid, current);
        const [{ approval_id } = { approval_id: '' }] = waiting.body as unknown as { approval_id: string }[];
        expect((await acknowledged('DELETE', `/apps/${app.address}/approvals/${approval_id}`)).status).toBe(
          204,
        );
        expect((await acknowledged(...commit)).status).toBe(466);
        continue;
      }
      if (phase === 'before') await server.kill('server');
      const first = phase === 'during' ? await interrupted(...commit) : await acknowledged(...commit);
      if (phase === 'after') await server.kill('server');
      const resumed = await acknowledged(...commit);
      expect(resumed.status, JSON.stringify(resumed.body)).toBe(202);
      if (first) expect(first.body.correlation_id).toBe(resumed.body.correlation_id);
      await running(vm_uuid, compose_hash);
      current = compose_hash;
      committed.push(compose_hash);
    }
    // Each change happened once, with nothing left over.
    const updates = await server.query<{ compose_hash: string; state: string }>(
      `select r.compose_hash, o.state from operations o join revisions r on r.id = (o.payload ->> 'revision_id')::bigint
     where o.type = 'update' order by o.id`,
    );
    expect(updates).toEqual(committed.map((compose_hash) => ({ compose_hash, state: 'succeeded' })));
    expect(await server.query('select id from approvals where ended_at is null')).toEqual([]);
    expect(await server.query('select id from cvms')).toHaveLength(1);
    const host = createVmmDriver({ url: world.fake.url });
    const { vms } = await host.status({});
    expect(vms.map((vm) => sha256Hex(vm.configuration?.compose_file ?? ''))).toEqual([current]);
    await host.close();
  },
);
