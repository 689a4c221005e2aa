import { renderToStaticMarkup } from 'react-dom/server';
import { expect, it } from 'vitest';
import type { SystemInfo } from '../../../generated/api/types.gen';
import { Stats } from './LiveStats';

const info = {
  os_name: 'local teepod',
  os_version: '1',
  num_cpus: 2,
  loadavg_one: 876,
  loadavg_five: 500,
  loadavg_fifteen: 400,
  total_memory: 24_000 * 1024 ** 2,
  used_memory: 4_000 * 1024 ** 2,
  total_swap: 0,
  used_swap: 0,
  uptime: 60,
  disks: [{ name: 'data', mount_point: '/', total_size: 1024 ** 3, free_size: 0 }],
} as unknown as SystemInfo;
const labels = (simulated: boolean) =>
  ['CPU load of the host', 'Memory of the host', 'Disk of the host', '>Host<'].map((label) =>
    renderToStaticMarkup(<Stats info={info} loads={[]} local simulated={simulated} />).includes(label),
  );

it('labels every figure as the host’s while containers are simulated', () => {
  expect(labels(true)).toEqual([true, true, true, true]);
  // A Docker engine measures the containers' memory and disk, but has no load average.
  expect(labels(false)).toEqual([true, false, false, false]);
});
