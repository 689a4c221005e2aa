import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { SimulatedEngine } from './simulated';

let vms: string;
beforeAll(async () => void (vms = await mkdtemp(join(tmpdir(), 'teehouse-simulated-'))));
afterAll(() => rm(vms, { recursive: true, force: true }));

it('formats a container’s uptime like `docker ps`', async () => {
  const ages = { second: 1_500, minute: 371_000, hour: 7_300_000, day: 400 * 3_600_000 };
  for (const [vm_id, age] of Object.entries(ages)) {
    const dir = join(vms, vm_id, 'engine');
    await mkdir(dir, { recursive: true });
    const services = [{ name: 'web', image: 'nginx' }];
    await writeFile(
      join(dir, 'simulated.json'),
      JSON.stringify({ vm_id, started_at: Date.now() - age, stopped_at: 0, services }),
    );
  }
  const containers = await (await SimulatedEngine.open(vms)).list();
  const statusOf = (vm: string) => containers.find(({ vm_id }) => vm_id === vm)?.status;
  expect(statusOf('second')).toMatch(/^Up \d+ seconds? \(simulated\)$/);
  expect(statusOf('minute')).toBe('Up 6 minutes (simulated)');
  expect(statusOf('hour')).toBe('Up 2 hours (simulated)');
  expect(statusOf('day')).toBe('Up 16 days (simulated)');
});
