import { describe, expect, it } from 'vitest';
import type { AdminTeepod } from '../../generated/api/types.gen';
import {
  capacityOf,
  closedText,
  concernsOfCapacity,
  excludedText,
  fullestOf,
  recycledOf,
} from './fleetCapacity';

const host = (parts: Partial<AdminTeepod>): AdminTeepod =>
  ({
    id: 1,
    name: 'pod',
    state: 'online',
    node_state: 'online',
    reachable: true,
    max_cvms: 10,
    max_vcpu: 10,
    max_memory_mb: 10,
    max_disk_gb: 10,
    host_cvms: null,
    used_cvms: 0,
    used_vcpu: 0,
    used_memory_mb: 0,
    used_disk_gb: 0,
    recycled_cvms: 0,
    recycled_disk_gb: 0,
    ...parts,
  }) as AdminTeepod;

const slots = (...hosts: AdminTeepod[]) => capacityOf(hosts)[0]?.sums;

describe('capacity', () => {
  it('counts only hosts that accept new CVMs, and says so', () => {
    const hosts = [
      host({ used_cvms: 3 }),
      host({ used_cvms: 2 }),
      host({ used_cvms: 9, state: 'offline' }),
      host({ used_cvms: 4, state: 'cordoned' }),
      host({ used_cvms: 4, state: 'draining' }),
      host({ used_cvms: 4, node_state: 'maintenance' }),
      host({ used_cvms: 4, reachable: false }),
    ];
    expect(slots(...hosts)).toEqual({ used: 5, max: 20 });
    expect(excludedText(hosts)).toBe('Excludes 5 hosts that aren’t accepting new CVMs.');
    expect(excludedText(hosts.slice(0, 3))).toBe('Excludes 1 host that isn’t accepting new CVMs.');
    expect(excludedText(hosts.slice(0, 2))).toBeUndefined();
    expect(excludedText(hosts.slice(2)), 'there are no sums').toBeUndefined();
  });

  it('explains why no host accepts new CVMs, instead of showing zeros', () => {
    expect(closedText([host({ state: 'draining', drain_id: 3 })])).toBe('pod is draining');
    expect(closedText([host({ state: 'draining', drain_id: null })])).toBe('pod is drained');
    expect(closedText([host({ node_state: 'maintenance' })])).toBe('pod is in maintenance');
    const draining = host({ state: 'draining', drain_id: 3 });
    expect(closedText([draining, draining])).toBe('all 2 hosts are draining');
    expect(closedText([host({ reachable: false }), draining, draining])).toBe(
      '2 hosts are draining and 1 is unreachable',
    );
    expect(closedText([draining, host({})])).toBeUndefined();
    expect(closedText([])).toBeUndefined();
  });

  it('uses the host’s CVM slot limit if it is lower', () => {
    expect(slots(host({ max_cvms: 60, host_cvms: 16 }), host({ max_cvms: 4, host_cvms: 16 }))?.max).toBe(20);
    expect(slots(host({ max_cvms: 60, host_cvms: 0 }))?.max).toBe(60);
  });

  it('names the fullest host by its actual slots', () => {
    const limited = host({ id: 2, max_cvms: 100, host_cvms: 10, used_cvms: 8 });
    expect(fullestOf([host({ used_cvms: 5 }), limited])?.id).toBe(2);
    expect(fullestOf([host({})])).toBeUndefined();
  });
});

describe('a fleet that needs attention', () => {
  it('is nearly full, with numbers', () => {
    const full = concernsOfCapacity([host({ used_vcpu: 10 }), host({ id: 2, used_vcpu: 9 })]);
    expect(full[0]?.detail).toContain('vCPUs 95%');
    expect(full[0]?.href).toBe('/admin/infra/teepods');
    expect(concernsOfCapacity([host({ used_vcpu: 10 })])).toEqual([]);
    expect(concernsOfCapacity([host({}), host({ id: 2 })])).toEqual([]);
  });

  it('accepts no CVMs, with advice', () => {
    expect(
      concernsOfCapacity([host({ state: 'cordoned' }), host({ id: 2, reachable: false })]),
    ).toMatchObject([
      { tone: 'error', title: 'No host is accepting new CVMs', detail: expect.stringMatching(/Uncordon/) },
    ]);
    const [draining] = concernsOfCapacity([host({ state: 'draining', drain_id: 3 })]);
    expect(draining?.detail).toBe(
      'pod is draining. Deployments are refused. Cancel a drain or add a teepod.',
    );
    expect(concernsOfCapacity([host({ node_state: 'offline' })])).toHaveLength(1);
    expect(concernsOfCapacity([host({ state: 'cordoned' }), host({ id: 2 })])).toEqual([]);
    expect(concernsOfCapacity([])).toEqual([]);
  });
});

it('sums the recycle bin over hosts that aren’t offline', () => {
  const hosts = [
    host({ recycled_cvms: 2, recycled_disk_gb: 40 }),
    host({ id: 2, recycled_cvms: 1, recycled_disk_gb: 20 }),
    host({ id: 3, state: 'offline', recycled_cvms: 9, recycled_disk_gb: 900 }),
  ];
  expect(recycledOf(hosts)).toEqual({ cvms: 3, disk_gb: 60 });
});
