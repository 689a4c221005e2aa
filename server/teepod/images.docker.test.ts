/** What a tenant's images and image names can do to other programs on the engine. */
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ensureDocker, ensureTestImages } from '../tools/docker';
import { DockerApi } from './engine/dockerApi';
import { BUSYBOX, Client, startInProcess, temporaryDirectory } from './testing/client';
import type { Teepod } from './server';

let api: DockerApi;
let dir: Awaited<ReturnType<typeof temporaryDirectory>>;
let teepod: Teepod;
let client: Client;

beforeAll(async () => {
  const found = await ensureDocker();
  if ('reason' in found) throw new Error(found.reason);
  await ensureTestImages(found.socket);
  api = new DockerApi(found.socket);
  dir = await temporaryDirectory();
  teepod = await startInProcess(dir.path, { TEEPOD_ENGINE: 'docker' });
  client = new Client(teepod.listen);
}, 180_000);
afterAll(async () => {
  await teepod?.close();
  await dir?.remove();
}, 120_000);

const sleeping = (image: string) => `services: {app: {image: "${image}", command: "sleep 1000"}}`;
const containersOf = async (id: string) => api.containers([`teehouse.vm=${id}`]);

test('reports every failed pull the same way, whatever the engine found', async () => {
  const knock = createServer((socket) => socket.end('SSH-2.0-internal\r\n')).listen(0, '127.0.0.1');
  await once(knock, 'listening');
  const open = (knock.address() as AddressInfo).port;
  const images = [`localhost:${open}/a/b:1`, 'localhost:1/a/b:1'];
  const directory = await temporaryDirectory();
  const allowing = await startInProcess(directory.path, {
    TEEPOD_ENGINE: 'docker',
    TEEPOD_REGISTRIES: `localhost:${open},localhost:1`,
  });
  const other = new Client(allowing.listen);
  for (const image of images) {
    const id = await other.create(`services: {app: {image: "${image}"}}`);
    expect((await other.booted(id)).boot_error).toBe(
      `failed to start containers: couldn't pull image ${image}. Check its name and tag, and that it is public.`,
    );
    const serial = (await other.text(`/logs?id=${id}`)).body;
    expect(serial).not.toMatch(/refused|SSH|EOF|HTTP|dial|malformed/i);
    await other.remove(id);
  }
  await allowing.close();
  await directory.remove();
  knock.close();
}, 120_000);

test('hides image labels from other programs on the engine and from other CVMs', async () => {
  const victim = await client.create(sleeping(BUSYBOX));
  await client.booted(victim);
  const image = 'localhost/teehouse-labelled:latest';
  const labels: Record<string, string> = {
    'traefik.enable': 'true',
    'com.centurylinklabs.watchtower.enable': 'true',
    'ofelia.job-exec.x.command': 'true',
    'teehouse.teepod': 'another',
    'teehouse.vm': victim,
    'teehouse.service': 'spoofed',
    'teehouse.other': 'x',
    'com.docker.compose.project': 'spoofed',
  };
  const changes = Object.entries(labels).flatMap(([key, value]) => ['--change', `LABEL ${key}="${value}"`]);
  const source = await client.create(sleeping(BUSYBOX));
  await client.booted(source);
  const [from] = await containersOf(source);
  await promisify(execFile)('docker', ['-H', api.host, 'commit', ...changes, from?.Id ?? '', image]);
  await client.remove(source);
  try {
    const id = await client.create(sleeping(image));
    expect((await client.booted(id)).boot_error).toBe('');
    const [one] = await containersOf(id);
    const { Config } = await api.inspect(one?.Id ?? '');
    expect(Config.Labels).toMatchObject({
      'traefik.enable': '',
      'com.centurylinklabs.watchtower.enable': '',
      'ofelia.job-exec.x.command': '',
      'teehouse.other': '',
      'teehouse.vm': id,
      'teehouse.service': 'app',
    });
    expect(Config.Labels['com.docker.compose.project']).toMatch(/^teehouse-/);
    expect(Config.Labels['teehouse.teepod']).not.toBe('another');
    await client.remove(id);
    expect(await containersOf(victim)).toHaveLength(1);
  } finally {
    await promisify(execFile)('docker', ['-H', api.host, 'rmi', '-f', image]);
  }
  await client.remove(victim);
}, 120_000);
