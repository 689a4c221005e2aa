import { afterAll, beforeAll, expect, test } from 'vitest';
import { ensureTestImages } from '../../tools/docker';
import { appCompose, BUSYBOX, until } from '../testing/client';
import { startDockerHost, type DockerHost } from '../testing/dockerHost';

let docker: DockerHost;
beforeAll(async () => {
  docker = await startDockerHost();
  await ensureTestImages(docker.api.socket);
});
afterAll(() => docker?.close());

test('anonymous volumes stay when networks are recreated, and are removed with the CVM', async () => {
  const { api, client } = docker;
  const script = 'echo boot >> /data/log; wc -l < /data/log; sleep 1000';
  const app = `services:\n  app: {image: "${BUSYBOX}", command: ["sh", "-c", "${script}"], volumes: [/data]}\n`;
  const id = await client.create(
    `${app}  gone: {image: "${BUSYBOX}", command: sleep 1000, volumes: [/old]}\n`,
  );
  expect((await client.booted(id)).boot_error).toBe('');
  const volumes = async () =>
    (await api.containers([`teehouse.vm=${id}`]))
      .flatMap((one) => one.Mounts ?? [])
      .map((mount) => mount.Name ?? '');
  const before = await volumes();
  expect(before).toHaveLength(2);
  const output = async () => (await client.text(`/agent/${id}/logs/app?text&bare`)).body;
  const lines = (count: number) =>
    until(`${count} lines`, async () => (await output()).endsWith(`${count}\n`) || undefined);
  await lines(1);
  const restart = async (compose?: string) => {
    await client.rpc('StopVm', { id });
    await client.status(id, 'stopped');
    if (compose) await client.rpc('UpdateVm', { id, compose_file: appCompose(compose) });
    await client.rpc('StartVm', { id });
    expect((await client.booted(id)).boot_error).toBe('');
  };
  await restart();
  await lines(2);
  // Compose refuses this change of an existing network.
  await restart(`${app}networks: {default: {internal: true}}\n`);
  await lines(3);
  expect(before).toEqual(expect.arrayContaining(await volumes()));
  await client.remove(id);
  const left = (await api.volumes([])).map((volume) => volume.Name);
  expect(left.filter((name) => before.includes(name))).toEqual([]);
});
