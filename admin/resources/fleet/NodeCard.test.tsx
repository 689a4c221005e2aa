import { renderToStaticMarkup } from 'react-dom/server';
import { expect, it } from 'vitest';
import type { AdminFleetNode, AdminFleetSums } from '../../../generated/api/types.gen';
import { NodeCard } from './NodeCard';

const sums = (gpus: number): AdminFleetSums => ({
  used_cvms: 0,
  max_cvms: 10,
  used_vcpu: 0,
  max_vcpu: 10,
  used_memory_mb: 0,
  max_memory_mb: 10_240,
  used_disk_gb: 0,
  max_disk_gb: 100,
  recycled_cvms: 0,
  recycled_disk_gb: 0,
  gpus,
  used_gpus: 0,
});

/** A node with one listed teepod, which has one listed GPU and warning. */
const node = (count: { teepods: number; gpus: number; concerns: number }): AdminFleetNode => ({
  id: 4,
  name: 'rack1',
  region: null,
  state: 'online',
  maintenance: null,
  concerns: [],
  teepod_count: count.teepods,
  teepods: [
    {
      id: 7,
      name: 'rack1-vmm',
      kind: 'dstack_vmm',
      state: 'online',
      reachable: true,
      drift: 0,
      drain_id: null,
      oversubscribed: false,
      sums: sums(count.gpus),
      gpus: [{ id: 1, slot: '18:00.0', state: 'free' }],
      concerns: [{ tone: 'warning', text: 'All slots are in use.', text_keys: [] }],
      concern_count: count.concerns,
    },
  ],
});

/** Address and text of the links to unlisted items. */
const links = (count: Parameters<typeof node>[0]) =>
  [
    ...renderToStaticMarkup(<NodeCard node={node(count)} />).matchAll(
      /href="([^"]*)"[^>]*>([^<]* more [^<]*)</g,
    ),
  ].map(([, href, text]) => [decodeURIComponent(href ?? ''), text]);

it('links to unlisted teepods, GPUs and warnings', () => {
  expect(links({ teepods: 6, gpus: 2, concerns: 4 })).toEqual([
    [expect.stringMatching(/^\/admin\/infra\/gpus\?.*teepod_id.*7/), '1 more GPU'],
    ['/admin/infra/teepods/7', '3 more warnings'],
    [expect.stringMatching(/^\/admin\/infra\/teepods\?.*node_id.*4/), '5 more teepods'],
  ]);
});

it('formats memory and disk in the same units as the teepod’s own page', () => {
  const [teepod] = node({ teepods: 1, gpus: 0, concerns: 1 }).teepods;
  const large = {
    ...sums(0),
    used_memory_mb: 169_984,
    max_memory_mb: 2_000_000,
    used_disk_gb: 1280,
    max_disk_gb: 20_000,
  };
  const html = renderToStaticMarkup(
    <NodeCard
      node={{
        ...node({ teepods: 1, gpus: 0, concerns: 1 }),
        teepods: teepod ? [{ ...teepod, sums: large }] : [],
      }}
    />,
  );
  expect(html).toContain('166 GB of 1.9 TB');
  expect(html).toContain('1.3 of 19.5 TB');
});

it('has no such links if everything is listed', () => {
  expect(links({ teepods: 1, gpus: 1, concerns: 1 })).toEqual([]);
});
