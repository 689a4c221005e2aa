import { describe, expect, it } from 'vitest';
import type { AdminDrain, AdminKms, AdminNode, AdminTeepod } from '../../generated/api/types.gen';
import { capacityOf, concernsOfService, concernsOf, concernsOfKeys } from './attention';

const node = { id: 1, state: 'online' } as AdminNode;
const host = (parts: Partial<AdminTeepod>): AdminTeepod =>
  ({
    id: 1,
    node_id: 1,
    name: 'pod',
    state: 'online',
    reachable: true,
    last_error: null,
    last_seen_at: null,
    warnings: [],
    max_cvms: 10,
    max_vcpu: 10,
    max_memory_mb: 10,
    max_disk_gb: 10,
    used_cvms: 0,
    used_vcpu: 0,
    used_memory_mb: 0,
    used_disk_gb: 0,
    ...parts,
  }) as AdminTeepod;

const titles = (...hosts: AdminTeepod[]) => concernsOf(hosts, [node]).map((concern) => concern.title);

describe('what needs a person', () => {
  it('is nothing when all is well', () => {
    expect(titles(host({}))).toEqual([]);
  });

  it('is a silent host before a warning, with a link to it', () => {
    const concerns = concernsOf(
      [host({ warnings: ['open'] }), host({ id: 2, name: 'other', reachable: false })],
      [node],
    );
    expect(concerns.map((concern) => concern.title)).toEqual(['other does not answer', 'pod warns']);
    expect(concerns[0]?.href).toBe('/admin/infra/teepods/2');
  });

  it('is a host without capacity, or with hardly any left', () => {
    expect(titles(host({ max_disk_gb: 0 }))).toEqual(['pod has no capacity set']);
    expect(titles(host({ used_vcpu: 9 }))).toEqual(['pod is nearly full']);
    expect(titles(host({ used_vcpu: 8 }))).toEqual([]);
  });

  it('is not what somebody took offline on purpose', () => {
    expect(titles(host({ state: 'offline', reachable: false }))).toEqual([]);
    expect(concernsOf([host({ reachable: false })], [{ ...node, state: 'offline' }])).toEqual([]);
  });
});

describe('capacity', () => {
  it('sums what is not offline', () => {
    const parts = capacityOf([
      host({ used_cvms: 3 }),
      host({ used_cvms: 2 }),
      host({ used_cvms: 9, state: 'offline' }),
    ]);
    expect(parts[0]?.sums).toEqual({ used: 5, max: 20 });
  });
});

describe('keys that need a person', () => {
  const kms = (change: Partial<AdminKms>) =>
    ({ id: 1, slug: 'main', state: 'active', notices: [], ...change }) as AdminKms;

  it('are told of, other keys before silence, and not of a service that is retired or well', () => {
    const concerns = concernsOfKeys(
      [
        kms({ health: 'unreachable', last_error: 'connection refused', answered_at: '2026-11-21T08:00:00Z' }),
        kms({ id: 2, slug: 'other', health: 'alarm', notices: ['It has another key.'] }),
        kms({ id: 3, health: 'ok' }),
        kms({ id: 4, health: 'alarm', state: 'retired' }),
      ],
      [],
    );
    expect(concerns.map(({ title, detail, since }) => ({ title, detail, since }))).toEqual([
      { title: 'The KMS other: alarm', detail: 'It has another key.', since: null },
      { title: 'The KMS main does not answer', detail: 'connection refused', since: '2026-11-21T08:00:00Z' },
    ]);
  });
});

describe('hosts taken out of service', () => {
  it('need a person when something is in the way, and lead to where it is decided', () => {
    const drain = {
      id: 3,
      teepod_id: 1,
      state: 'blocked',
      blocked_cvms: 2,
      message: '“web”: no room.',
    } as AdminDrain;
    const [concern, ...rest] = concernsOfService([drain, { ...drain, id: 4, state: 'running' }], [], {
      teepods: [host({})],
      nodes: [node],
    });
    expect(rest).toEqual([]);
    expect(concern).toMatchObject({
      title: 'Emptying pod is blocked by 2 CVMs',
      detail: '“web”: no room.',
      href: '/admin/infra/drains/3',
    });
  });

  it('are told when they tell other things than the database', () => {
    expect(titles(host({ drift: 2 }))).toEqual(['pod: host and database differ']);
  });
});
