import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { z } from 'zod';
import type { CvmRow } from '../../db/cvms/cvmsTable';
import { at, startHostedTeam, type HostedTeam } from '../../testing/hostedTeam';
import { eventually } from '../../testing/server';
import { reconcileTeepod } from './reconcile';

/**
 * The reconciler against recorded answers of dstack-vmm 0.6.0 as it restarted, lost an image and gave up
 * restarting a VM.
 */
const recording = z
  .object({
    exchanges: z.array(
      z.union([
        z.object({
          name: z.string(),
          request: z.object({ path: z.string() }),
          response: z.object({ status: z.number(), body: z.string() }),
        }),
        z.object({ note: z.string() }),
      ]),
    ),
  })
  .parse(
    JSON.parse(
      readFileSync(new URL('../../drivers/vmm/recordings/vmm-0.6.0-restarts.json', import.meta.url), 'utf8'),
    ),
  );

const exchange = (name: string) => {
  const found = recording.exchanges.find((one) => 'name' in one && one.name === name);
  if (!found || !('name' in found)) throw new Error(`${name} was not recorded`);
  return found;
};

let team: HostedTeam;
let cvm: CvmRow;

beforeAll(async () => {
  team = await startHostedTeam('recorded');
  ({ cvm } = await team.running());
  const { id } = z.object({ id: z.string() }).parse(JSON.parse(exchange('create').response.body));
  answerWith('status-before-vmm-restart');
  answerWith('info-after-vmm-restart');
  await db().updateTable('cvms').set({ host_vm_id: id }).where('id', '=', cvm.id).execute();
});
afterAll(() => team.close());

const db = () => team.server.services.db;
const now = () => team.now(cvm);
const calls = (method: string) =>
  team.fake.requests.filter((path) => path.includes(`/prpc/${method}`)).length;

function answer(path: string, status: number, body: string): void {
  team.fake.on(path, (_request, response) =>
    response.writeHead(status, { 'content-type': 'application/json' }).end(body),
  );
}

/** Makes the host answer this request as in the recording. */
function answerWith(name: string): void {
  const { request, response } = exchange(name);
  answer(new URL(request.path, 'http://host').pathname, response.status, response.body);
}

/** Makes the host list and return this recorded VM. */
function listAs(name: string): void {
  answerWith(name);
  const { info } = z
    .object({ info: z.record(z.string(), z.unknown()) })
    .parse(JSON.parse(exchange(name).response.body));
  const vms = [{ ...info, configuration: null }];
  answer('/prpc/Status', 200, JSON.stringify({ vms, port_mapping_enabled: false, total: 1 }));
}

async function round(): Promise<void> {
  // Unchanged since long before, and the rounds are far enough apart to count.
  const before = new Date(Date.now() - 120_000);
  await db().updateTable('cvms').set({ updated_at: before }).where('id', '=', cvm.id).execute();
  await db()
    .updateTable('cvms')
    .set({ missing_since: before })
    .where('id', '=', cvm.id)
    .where('missing_since', 'is not', null)
    .execute();
  const teepod = await db()
    .selectFrom('teepods')
    .selectAll()
    .where('id', '=', team.host.teepod.id)
    .executeTakeFirstOrThrow();
  const { services } = team.server;
  await reconcileTeepod(services, services.jobs, teepod);
}

it('keeps a CVM running while dstack-vmm restarts under it', async () => {
  await round();
  expect((await now()).status).toBe('running');
  answerWith('status-after-vmm-restart');
  await round();
  expect(await now()).toMatchObject({ status: 'running', boot_progress: 'running' });
  expect(await db().selectFrom('operations').select('id').where('cvm_id', '=', cvm.id).execute()).toEqual([]);
});

it('loses a CVM whose image is gone, creates nothing, and finds it again', async () => {
  const created = calls('CreateVm');
  for (const name of ['status-image-gone', 'info-image-gone', 'sv-list-image-gone']) answerWith(name);
  await round();
  await round();
  expect((await now()).status).toBe('lost');
  expect([calls('ReloadVms'), calls('SvList')].every((count) => count > 0)).toBe(true);
  expect((await team.member.call('startCvm', { path: at(cvm) })).status).toBe(409);
  await round();
  expect((await now()).status).toBe('lost');
  for (const name of ['status-image-back', 'info-after-vmm-restart']) answerWith(name);
  await round();
  expect(await now()).toMatchObject({
    status: 'running',
    host_vm_id: expect.any(String),
    missing_since: null,
  });
  expect([calls('CreateVm'), calls('RemoveVm')]).toEqual([created, 0]);
});

it('reports a VM whose restarts are used up after starting it a few times', async () => {
  answerWith('start-that-dies');
  listAs('info-exhausted');
  await eventually('the CVM is in an error state', async () => {
    await round();
    const { status } = await now();
    return status === 'error';
  });
  expect(await team.ended(cvm)).toMatchObject({ type: 'start', state: 'failed' });
  expect(calls('RemoveVm')).toBe(0);
});

it('reports a boot error as the guest reported it', async () => {
  // First, because the server's own rounds would start the exhausted VM of the last test again.
  listAs('info-boot-error');
  const running = { status: 'running', updated_at: new Date() } as const;
  await db().updateTable('cvms').set(running).where('id', '=', cvm.id).execute();
  await round();
  const failed = await now();
  expect(failed).toMatchObject({ status: 'error', desired: 'running' });
  expect(failed.status_reason).toContain('failed to start containers');
  listAs('info-start-again-after-boot-error');
  await round();
  expect((await now()).status).toBe('running');
});
