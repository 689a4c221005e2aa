/** kill -9 of the teepod at many moments: afterward every CVM exists once, in the requested state. */
import { spawn } from 'node:child_process';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ensureDocker, ensureTestImages } from '../tools/docker';
import { DockerApi } from './engine/dockerApi';
import {
  BUSYBOX,
  Client,
  spawnTeepod,
  TEEPOD,
  temporaryDirectory,
  until,
  vmConfig,
  type Spawned,
} from './testing/client';
import type { VmInfo } from './vmInfo';

const COMPOSE = `services:
  one: {image: "${BUSYBOX}", command: "sleep 1000", volumes: ["data:/data"], stop_grace_period: 1s}
  two: {image: "${BUSYBOX}", command: "sleep 1000"}
volumes: {data: {}}
`;

let api: DockerApi;
let dir: Awaited<ReturnType<typeof temporaryDirectory>>;
let teepod: Spawned;
let client: Client;

const start = async () => {
  teepod = await spawnTeepod(dir.path, {
    TEEPOD_ENGINE: 'docker',
    TEEPOD_LISTEN: `unix:${dir.path}/teepod.sock`,
    TEEPOD_MAX_CVMS: '200',
  });
  client = new Client(teepod.listen);
};
const crash = async () => {
  await teepod.kill('SIGKILL');
  await start();
};
const labelled = (id: string) => [`teehouse.vm=${id}`];
const services = async (id: string) =>
  (await api.containers(labelled(id))).map((one) => `${one.Labels['teehouse.service']} ${one.State}`).sort();
const byName = async (name: string) => (await client.rpc<{ vms: VmInfo[] }>('Status', { keyword: name })).vms;

beforeAll(async () => {
  const found = await ensureDocker();
  if ('reason' in found) throw new Error(found.reason);
  await ensureTestImages(found.socket);
  api = new DockerApi(found.socket);
  dir = await temporaryDirectory();
  await start();
}, 180_000);

afterAll(async () => {
  if (!teepod) return;
  for (const vm of await byName('')) await client.rpc('RemoveVm', { id: vm.id });
  for (const vm of await byName('')) await client.gone(vm.id);
  await teepod.kill('SIGTERM');
  await dir.remove();
}, 120_000);

test('adopts a running CVM with the same containers and no second boot', async () => {
  const id = await client.create(COMPOSE, { name: 'adopted' });
  const before = await client.booted(id);
  expect(before.boot_error).toBe('');
  const ids = (await api.containers(labelled(id))).map((one) => one.Id).sort();
  await crash();
  const after = await client.booted(id);
  expect(after).toMatchObject({
    status: 'running',
    boot_progress: 'done',
    instance_id: before.instance_id,
    app_url: before.app_url,
  });
  expect((await api.containers(labelled(id))).map((one) => one.Id).sort()).toEqual(ids);
  expect((await client.text(`/logs?id=${id}`)).body.match(/===== boot/g)).toHaveLength(1);
  await teepod.kill('SIGTERM');
  expect(await services(id)).toEqual(['one running', 'two running']); // left running on purpose
  await start();
  await client.remove(id);
});

test.each([0, 30, 80, 200, 500, 900, 1_300, 1_700, 2_200, 2_800])(
  'boots a CVM exactly once after a kill %i ms into its boot',
  async (delay) => {
    const name = `killed at ${delay}`;
    // The response may be lost with the process; the CVM may not.
    const asked = client.rpc('CreateVm', vmConfig(COMPOSE, { name })).then(
      () => true,
      () => false,
    );
    await Promise.race([asked, new Promise((resolve) => setTimeout(resolve, delay))]);
    if (delay > 0) await asked.then(() => new Promise((resolve) => setTimeout(resolve, delay)));
    await crash();
    const answered = await asked;
    const found = await byName(name);
    expect(found.length).toBeLessThanOrEqual(1);
    const [vm] = found;
    if (!vm) {
      expect(answered).toBe(false);
      return;
    }
    const info = await client.booted(vm.id);
    expect([info.boot_error, info.status]).toEqual(['', 'running']);
    expect(await services(vm.id)).toEqual(['one running', 'two running']);
    expect(await api.networks(labelled(vm.id))).toHaveLength(1);

    await client.rpc('StopVm', { id: vm.id });
    await crash();
    await client.status(vm.id, 'stopped');
    expect(await services(vm.id)).toEqual(['one exited', 'two exited']);

    await client.rpc('RemoveVm', { id: vm.id });
    await crash();
    await client.gone(vm.id);
    await until('nothing to be left', async () => {
      const left = [
        ...(await api.containers(labelled(vm.id))),
        ...(await api.networks(labelled(vm.id))),
        ...(await api.volumes(labelled(vm.id))),
      ];
      return left.length === 0 ? true : undefined;
    });
  },
);

test('recreates containers removed by someone else', async () => {
  const id = await client.create(COMPOSE, { name: 'brought back' });
  await client.booted(id);
  await teepod.kill('SIGKILL');
  for (const one of await api.containers(labelled(id))) await api.remove(one.Id);
  await start();
  await client.booted(id);
  expect(await services(id)).toEqual(['one running', 'two running']);
  await client.remove(id);
});

test('refuses to start a second teepod on the same directory', async () => {
  await expect(spawnTeepod(dir.path, { TEEPOD_ENGINE: 'docker' })).rejects.toThrow(/another teepod/);
});

test('exits when its parent is killed', async () => {
  const other = await temporaryDirectory();
  const script = `require('child_process').fork(${JSON.stringify(TEEPOD.file)}, [], ${JSON.stringify({ execArgv: TEEPOD.execArgv })}).on('message', (m) => console.log(process.pid, JSON.stringify(m)));`;
  const parent = spawn(process.execPath, ['-e', script], {
    env: {
      PATH: process.env['PATH'],
      TEEPOD_DIR: other.path,
      TEEPOD_ENGINE: 'simulate',
      TEEPOD_LISTEN: `unix:${other.path}/t.sock`,
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let output = '';
  parent.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
  await until('the teepod to be ready', async () => (output.includes('"ready":true') ? true : undefined));
  const child = new Client(`unix:${other.path}/t.sock`);
  expect((await child.raw('/prpc/Version', {})).status).toBe(200);
  parent.kill('SIGKILL');
  await until('it to end', async () =>
    child.raw('/prpc/Version', {}).then(
      () => undefined,
      () => true as const,
    ),
  );
  await other.remove();
});
