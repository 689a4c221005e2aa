import { expect, it } from 'vitest';
import type { NodeOnMap, TeepodOnMap } from './fleetMap';
import { fleetNodeOut, fleetRegionsOut } from './fleetMapResponse';

const teepod = (id: number, change: Partial<TeepodOnMap> = {}): TeepodOnMap => ({
  id,
  node_id: 1,
  name: `pod-${id}`,
  url: `https://pod-${id}.test`,
  kind: 'dstack_vmm',
  state: 'online',
  reachable: true,
  last_error: null,
  warnings: [],
  drift: 0,
  drain_id: null,
  drain_state: null,
  drain_message: null,
  drain_message_keys: null,
  configured_cvms: 10,
  host_cvms: null,
  host_vcpu: null,
  host_memory_mb: null,
  used_cvms: 0,
  max_cvms: 10,
  used_vcpu: 0,
  max_vcpu: 10,
  used_memory_mb: 0,
  max_memory_mb: 10,
  used_disk_gb: 0,
  max_disk_gb: 10,
  recycled_cvms: 0,
  recycled_disk_gb: 0,
  gpus: 0,
  used_gpus: 0,
  ...change,
});
const node = (change: Partial<NodeOnMap> = {}): NodeOnMap => ({
  id: 1,
  name: 'rack1',
  region: 'eu',
  state: 'online',
  teepods: [],
  windows: [],
  concerns: [],
  ...change,
});
const numbers = (count: number) => Array.from({ length: count }, (_, n) => n + 1);

it('counts the omitted teepods, GPUs and concerns', () => {
  const warnings = numbers(23).map((n) => `Warning ${n}`);
  const gpus = numbers(70).map((id) => ({ id, teepod_id: 1, slot: `0000:${id}:00.0`, state: 'free' }));
  const out = fleetNodeOut(
    node({ teepods: numbers(205).map((id) => teepod(id, id === 1 ? { warnings, gpus: 70 } : {})) }),
    gpus,
  );
  expect([out.teepods.length, out.teepod_count]).toEqual([200, 205]);
  const [first, second] = out.teepods;
  expect([first?.gpus.length, first?.sums.gpus]).toEqual([64, 70]);
  expect([first?.concerns.length, first?.concern_count]).toEqual([20, 23]);
  expect([second?.gpus, second?.sums.gpus, second?.concerns, second?.concern_count]).toEqual([[], 0, [], 0]);
});

it('has no concerns about an offline host, which is no longer checked', () => {
  const change = { state: 'offline', reachable: false, drift: 3, warnings: ['Old version'] };
  const [offline] = fleetNodeOut(node({ teepods: [teepod(1, change)] }), []).teepods;
  expect(offline?.concerns).toEqual([]);
});

it('counts the omitted regions', () => {
  const nodes = numbers(503).map((id) => node({ id, region: `region-${id}` }));
  const { regions, region_count } = fleetRegionsOut([...nodes, node({ id: 504, region: 'region-1' })]);
  expect([regions.length, region_count]).toEqual([500, 503]);
});
