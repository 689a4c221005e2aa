import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Teepod } from './server';
import { Client, startInProcess, temporaryDirectory, until } from './testing/client';

/**
 * Tenants share one local teepod: limits what one tenant, or a page in the operator's browser, can do to
 * others.
 */
let dir: Awaited<ReturnType<typeof temporaryDirectory>>;
let teepod: Teepod;
let client: Client;

beforeAll(async () => {
  dir = await temporaryDirectory();
  teepod = await startInProcess(dir.path, { TEEPOD_ENGINE: 'simulate', TEEPOD_PARALLEL_BOOTS: '1' });
  client = new Client(teepod.listen);
});
afterAll(async () => {
  await teepod.close();
  await dir.remove();
});

const compose = (image: string) => `services:\n  web: {image: ${image}}\n`;

test('boots other CVMs during a slow image pull, which can be canceled', async () => {
  const { engine } = teepod.manager;
  const prepare = engine.prepare.bind(engine);
  engine.prepare = (request) =>
    request.plan.services[0]?.image === 'tarpit'
      ? new Promise((_resolve, reject) =>
          request.signal.addEventListener('abort', () => reject(new Error('stopped')), { once: true }),
        )
      : prepare(request);
  const slow = await Promise.all([1, 2, 3].map(() => client.create(compose('tarpit'))));
  const quick = await client.create(compose('nginx'));
  expect(await client.booted(quick)).toMatchObject({ boot_progress: 'done' });
  for (const id of slow) {
    await client.rpc('StopVm', { id });
    await client.status(id, 'stopped');
  }
  engine.prepare = prepare;
});

test('rejects requests from web pages', async () => {
  const id = await client.create(compose('nginx'));
  const pages: Record<string, string>[] = [
    { origin: 'https://evil.example' },
    { 'sec-fetch-site': 'cross-site' },
  ];
  for (const headers of pages) {
    const answer = await client.text(`/prpc/RemoveVm?id=${id}`, { headers });
    expect(answer.status).toBe(403);
  }
  await until('it is there', async () => ((await client.info(id)) ? true : undefined));
});

test('stops a CVM that exceeds its disk, with the reason, and no other', async () => {
  const [full, other] = await Promise.all(
    [1, 2].map(() => client.create(compose('nginx'), { disk_size: 2 })),
  );
  for (const id of [full, other]) await client.booted(id!);
  const { engine } = teepod.manager;
  const measured = engine.diskUse.bind(engine);
  engine.diskUse = (id) => (id === full ? 3 : 1) * 2 ** 30;
  const info = await until('the stop', async () => {
    const found = await client.info(full!);
    return found.boot_error === '' ? undefined : found;
  });
  expect(info.boot_error).toBe(
    'The CVM was stopped because it uses 3.0 GB of its 2 GB disk. Resize the disk, then start the CVM.',
  );
  expect(info.events.map(({ event }) => event)).toContain('disk.full');
  const running = (await engine.list()).filter(({ state }) => state === 'running').map(({ vm_id }) => vm_id);
  expect([running.includes(full!), running.includes(other!)]).toEqual([false, true]);

  await client.rpc('StopVm', { id: full });
  await client.status(full!, 'stopped');
  await client.rpc('ResizeVm', { id: full, disk_size: 4 });
  await client.rpc('StartVm', { id: full });
  expect(await client.booted(full!)).toMatchObject({ boot_error: '', status: 'running' });
  engine.diskUse = measured;
});

test('stops a CVM that exceeds its disk although another cannot be stopped', async () => {
  const ids = await Promise.all([1, 2].map(() => client.create(compose('nginx'), { disk_size: 2 })));
  for (const id of ids) await client.booted(id);
  const { manager } = teepod;
  const { engine } = manager;
  const kill = engine.kill.bind(engine);
  const measured = engine.diskUse.bind(engine);
  const [stuck = '', other = ''] = manager.list().flatMap(({ id }) => (ids.includes(id) ? [id] : []));
  engine.kill = (id) => (id === stuck ? Promise.reject(new Error('containers did not stop')) : kill(id));
  engine.diskUse = (id) => (ids.includes(id) ? 3 : 1) * 2 ** 30;
  await until('the stop', async () => (await client.info(other)).boot_error || undefined);
  expect((await client.info(stuck)).boot_error).toBe('');
  engine.kill = kill;
  engine.diskUse = measured;
});
