/** A CVM's reported usage is that of its containers, not the machine's. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ensureDocker, ensureTestImages } from '../tools/docker';
import { BUSYBOX, Client, startInProcess, temporaryDirectory, until } from './testing/client';
import type { Teepod } from './server';

let dir: Awaited<ReturnType<typeof temporaryDirectory>>;
let teepod: Teepod;
let client: Client;

beforeAll(async () => {
  const found = await ensureDocker();
  if ('reason' in found) throw new Error(found.reason);
  await ensureTestImages(found.socket);
  dir = await temporaryDirectory();
  teepod = await startInProcess(dir.path, { TEEPOD_ENGINE: 'docker' });
  client = new Client(teepod.listen);
}, 180_000);
afterAll(async () => {
  await teepod?.close();
  await dir?.remove();
}, 120_000);

const WORKING = `services:
  app:
    image: ${BUSYBOX}
    command: ["sh", "-c", "dd if=/dev/zero of=/big bs=1M count=20 2>/dev/null; echo written; while :; do :; done"]
`;

test('reports the CPU time of a busy loop and the disk space of a written file', async () => {
  const id = await client.create(WORKING, { disk_size: 1 });
  await client.booted(id);
  await until('the file', async () =>
    (await client.text(`/agent/${id}/logs/app?text&bare`)).body.includes('written') ? true : undefined,
  );
  interface System {
    cpu_time_us: number;
    disks: { total_size: number; free_size: number }[];
  }
  const read = () => client.rpc<System>('/guest/SysInfo', { id });
  const first = await read();
  const began = performance.now();
  const later = await until('a second of CPU time', async () => {
    const now = await read();
    return now.cpu_time_us - first.cpu_time_us > 1e6 && now.disks.length > 0 ? now : undefined;
  });
  // One loop uses at most one processor.
  expect(later.cpu_time_us - first.cpu_time_us).toBeLessThan((performance.now() - began) * 1000 * 1.2 + 5e5);
  const [disk] = later.disks;
  expect(disk?.total_size).toBe(2 ** 30);
  expect((disk?.total_size ?? 0) - (disk?.free_size ?? 0)).toBeGreaterThanOrEqual(20 * 2 ** 20);
  expect((disk?.total_size ?? 0) - (disk?.free_size ?? 0)).toBeLessThan(40 * 2 ** 20);
  await client.remove(id);
});
