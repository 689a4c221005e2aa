/** How a restarted host process treats the CVMs it finds on disk. */
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { readConfig } from './config';
import { SimulatedEngine } from './engine/simulated';
import { Kms } from './kms';
import { Manager } from './manager';
import { Planner } from './planner';
import type { Teepod } from './server';
import { Store, type BootRecord } from './store';
import { Client, startInProcess, temporaryDirectory, until } from './testing/client';

const ORDINARY = 'services:\n  web: {image: nginx}\n';

const TWO = 'services:\n  web: {image: nginx, restart: always}\n  job: {image: busybox}\n';

let dir: Awaited<ReturnType<typeof temporaryDirectory>>;
let teepod: Teepod;
let client: Client;
const start = async () => {
  teepod = await startInProcess(dir.path, { TEEPOD_ENGINE: 'simulate' });
  client = new Client(teepod.listen);
};
const file = (id: string, name: string) => join(dir.path, 'vms', id, name);

beforeEach(async () => {
  dir = await temporaryDirectory();
  await start();
});
afterEach(async () => {
  await teepod.close();
  await dir.remove();
});

/** Writes the record a boot leaves when the process exits during it for the n-th time. */
async function cutOff(id: string, attempts: number): Promise<void> {
  const boot = JSON.parse(await readFile(file(id, 'boot.json'), 'utf8')) as BootRecord;
  const text = JSON.stringify({ ...boot, done: false, progress: '', attempts });
  await writeFile(file(id, 'boot.json'), text);
}

test('retries a boot interrupted once, but not one interrupted three times until it is started', async () => {
  const [once, thrice, other] = await Promise.all([1, 2, 3].map(() => client.create(ORDINARY)));
  for (const id of [once, thrice, other]) await client.booted(id!);
  await teepod.close();
  await cutOff(once!, 1);
  await cutOff(thrice!, 3);
  await start();

  const given = await client.booted(thrice!);
  expect(given.boot_error).toContain('The host process exited 3 times in a row while this CVM was booting');
  expect(given.status).toBe('running');
  for (const id of [once, other]) expect(await client.booted(id!)).toMatchObject({ boot_error: '' });
  expect((await client.text(`/logs?id=${once}`)).body).toContain('booting again');

  // The decision persists, and the CVM's owner can reverse it.
  await teepod.close();
  await start();
  expect((await client.booted(thrice!)).boot_error).toContain('3 times in a row');
  await client.rpc('StopVm', { id: thrice });
  await client.status(thrice!, 'stopped');
  await client.rpc('StartVm', { id: thrice });
  expect(await client.booted(thrice!)).toMatchObject({ boot_error: '', boot_progress: 'done' });
  const boot = JSON.parse(await readFile(file(thrice!, 'boot.json'), 'utf8')) as BootRecord;
  expect(boot.attempts).toBe(0);
});

test('retries interrupted boots one at a time, after all others', async () => {
  const ids = await Promise.all([1, 2, 3, 4].map(() => client.create(ORDINARY)));
  for (const id of ids) await client.booted(id);
  await teepod.close();
  const [first = '', second = '', fresh = ''] = ids;
  await cutOff(first, 1);
  await cutOff(second, 1);
  await cutOff(fresh, 0);
  const { engine, manager } = await quietManager();
  const order: string[] = [];
  let booting = 0;
  const launch = engine.start.bind(engine);
  engine.start = async (request) => {
    order.push(request.vm_id);
    booting++;
    await launch(request);
    if (request.vm_id !== fresh) expect(booting).toBe(1);
    booting--;
  };
  await manager.load();
  await manager.recover();
  expect(order[0]).toBe(fresh);
  expect(order.slice(1).sort()).toEqual([first, second].sort());
  await manager.close();
  await start();
});

test('remembers Docker while it is missing, so that later starts wait for it, too', async () => {
  await teepod.close();
  const remembered = join(dir.path, 'engine');
  await writeFile(remembered, 'docker');
  vi.stubEnv('DOCKER_HOST', 'tcp://127.0.0.1:9');
  teepod = await startInProcess(dir.path).finally(() => vi.unstubAllEnvs());
  expect(teepod.engine).toBe('simulated');
  expect(await readFile(remembered, 'utf8')).toBe('docker');
});

test('says how to stop waiting for Docker if it was removed', async () => {
  await client.booted(await client.create(ORDINARY));
  await teepod.close();
  const remembered = join(dir.path, 'engine');
  await writeFile(remembered, 'docker');
  vi.stubEnv('DOCKER_HOST', 'tcp://127.0.0.1:9');
  const lines: string[] = [];
  const log = vi.spyOn(process.stdout, 'write').mockImplementation((text) => lines.push(String(text)) > 0);
  const way = 'if Docker is gone, start once with LOCAL_TEEPOD_ENGINE=simulate';
  try {
    teepod = await startInProcess(dir.path, { TEEPOD_ENGINE_WAIT_MS: '600' });
    expect(teepod.engine_note).toContain(`so each start waits for it: ${way}`);
    const waits = lines.filter((line) => line.includes('"msg":"waiting for Docker"'));
    expect(waits).toHaveLength(1);
    expect(waits[0]).toContain(way);
    await teepod.close();
    await start();
    await teepod.close();
    lines.length = 0;
    teepod = await startInProcess(dir.path, { TEEPOD_ENGINE_WAIT_MS: '600' });
    expect(lines.join('')).not.toContain('waiting for Docker');
  } finally {
    log.mockRestore();
    vi.unstubAllEnvs();
  }
});

test('lists and removes CVMs before the engine responds', async () => {
  const [kept = '', removed = ''] = await Promise.all([1, 2].map(() => client.create(ORDINARY)));
  for (const id of [kept, removed]) await client.booted(id);
  await teepod.close();
  const { engine, manager } = await quietManager();
  const list = engine.list.bind(engine);
  let answer: () => void = () => undefined;
  const silent = new Promise<void>((resolve) => (answer = resolve));
  engine.list = () => silent.then(list);
  await manager.load();
  const recovered = manager.recover();
  expect(manager.list().map((vm) => [vm.status, vm.progress])).toEqual([
    ['running', 'recovering'],
    ['running', 'recovering'],
  ]);
  await manager.remove(removed);
  await until('the removal', async () => (manager.find(removed) ? undefined : true));
  answer();
  await recovered;
  expect(manager.get(kept)).toMatchObject({ status: 'running', progress: 'done' });
  await manager.close();
  await start();
});

test('lists and removes a CVM with an unreadable compose file', async () => {
  const [broken = '', other = ''] = await Promise.all([1, 2].map(() => client.create(ORDINARY)));
  for (const id of [broken, other]) await client.booted(id);
  await teepod.close();
  const record = JSON.parse(await readFile(file(broken, 'vm.json'), 'utf8')) as { config: object };
  const config = { ...record.config, compose_file: '{"docker_compose_file": [[[' };
  await writeFile(file(broken, 'vm.json'), JSON.stringify({ ...record, config }));
  await cutOff(broken, 0);
  await start();
  expect((await client.rpc<{ total: number }>('Status', {})).total).toBe(2);
  expect(await client.booted(other)).toMatchObject({ boot_error: '' });
  await client.remove(broken);
});

test('starts other CVMs despite an unreadable record', async () => {
  const [broken = '', other = ''] = await Promise.all([1, 2].map(() => client.create(ORDINARY)));
  for (const id of [broken, other]) await client.booted(id);
  await teepod.close();
  await writeFile(file(broken, 'vm.json'), '{"id":');
  await start();
  expect(await client.booted(other)).toMatchObject({ boot_error: '' });
});

test('boots a CVM again after the machine restarted, because the engine starts only a part of it', async () => {
  const ids = await Promise.all([1, 2].map(() => client.create(TWO)));
  for (const id of ids) await client.booted(id);
  await teepod.close();
  const [before = '', after = ''] = ids;
  const boot = JSON.parse(await readFile(file(before, 'boot.json'), 'utf8')) as BootRecord;
  await writeFile(file(before, 'boot.json'), JSON.stringify({ ...boot, started_at: 1 }));
  const { engine, manager } = await quietManager();
  const list = engine.list.bind(engine);
  engine.list = async () =>
    (await list()).map((one) =>
      one.service === 'job' ? { ...one, state: 'exited', status: 'Exited (137) 2 minutes ago' } : one,
    );
  const started: string[] = [];
  engine.start = async ({ vm_id }) => void started.push(vm_id);
  await manager.load();
  await manager.recover();
  await manager.get(before).booting?.done;
  expect(started).toEqual([before]);
  expect(manager.get(after).progress).toBe('done');
  await manager.close();
  await start();
});

test('boots a CVM again whose containers an engine restart left down', async () => {
  const id = await client.create(TWO);
  await client.booted(id);
  const { engine } = teepod.manager;
  const list = engine.list.bind(engine);
  const polled = () => new Promise((resolve) => setTimeout(resolve, 200));
  engine.list = async () =>
    (await list()).map((one) =>
      one.service === 'job' ? { ...one, state: 'exited', status: 'Exited (0) 2 minutes ago' } : one,
    );
  const started: string[] = [];
  engine.start = async ({ vm_id }) => void started.push(vm_id);
  await polled();
  expect(started, 'a job that has ended').toEqual([]);
  engine.run = async () => 'another';
  await until('the boot', async () => (started.length > 0 ? true : undefined));
  await polled();
  expect(started).toEqual([id]);
});

test('stops a container that the engine starts after its CVM was stopped', async () => {
  const id = await client.create(ORDINARY);
  await client.booted(id);
  await client.rpc('StopVm', { id });
  await client.status(id, 'stopped');
  const { engine } = teepod.manager;
  const list = engine.list.bind(engine);
  let late = true;
  engine.list = async () => (await list()).map((one) => (late ? { ...one, state: 'running' } : one));
  engine.kill = async () => void (late = false);
  await until('the container to be stopped', async () => (late ? undefined : true), 10_000);
  await client.status(id, 'stopped');
});

test.each(['StopVm', 'RemoveVm'])('%s ends a shutdown that waits for containers', async (method) => {
  const id = await client.create(ORDINARY);
  await client.booted(id);
  const { engine } = teepod.manager;
  const stopped = new AbortController();
  engine.stop = () => new Promise((resolve) => stopped.signal.addEventListener('abort', () => resolve()));
  engine.kill = async () => stopped.abort();
  await client.rpc('ShutdownVm', { id });
  await client.rpc(method, { id });
  await until('the end', async () => (stopped.signal.aborted ? true : undefined), 10_000);
  await (method === 'StopVm' ? client.status(id, 'stopped') : client.gone(id));
});

/** A separate manager of the directory, with an engine the test can pause. */
async function quietManager(): Promise<{ engine: SimulatedEngine; manager: Manager }> {
  const store = await Store.open(dir.path);
  const engine = await SimulatedEngine.open(store.root);
  const kms = await Kms.open(join(dir.path, 'kms'));
  const config = readConfig({ TEEPOD_DIR: dir.path, TEEPOD_POLL_MS: '50' });
  return {
    engine,
    manager: new Manager(config, { store, engine, kms, device_id: '', planner: new Planner() }),
  };
}
