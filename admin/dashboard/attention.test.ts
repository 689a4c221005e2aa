import { describe, expect, it } from 'vitest';
import type {
  AdminAlert,
  AdminDrain,
  AdminFinanceAction,
  AdminKms,
  AdminNode,
  AdminQueue,
  AdminTeepod,
} from '../../generated/api/types.gen';
import {
  bySeverity,
  concernsOf,
  concernsOfApprovals,
  concernsOfFailures,
  concernsOfKeys,
  concernsOfQueues,
  concernsOfReports,
  concernsOfService,
  concernsOfUnread,
  concernsOfUpstreams,
  idleText,
  isQuiet,
  queuesByTrouble,
} from './attention';
import { approvalsQuery } from '../approvalsQuery';
import { stateOf } from './Alerts';

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
    node_state: 'online',
    max_cvms: 10,
    host_cvms: null,
    max_vcpu: 10,
    max_memory_mb: 10,
    max_disk_gb: 10,
    used_cvms: 0,
    used_vcpu: 0,
    used_memory_mb: 0,
    used_disk_gb: 0,
    recycled_cvms: 0,
    recycled_disk_gb: 0,
    ...parts,
  }) as AdminTeepod;

const titles = (...hosts: AdminTeepod[]) => concernsOf(hosts, [node]).map((concern) => concern.title);

it('says which part of a large fleet it checks, instead of that all hosts respond', () => {
  expect(concernsOfUnread(1_000, 1_000)).toEqual([]);
  expect(concernsOfUnread(12_345, 1_000)).toMatchObject([
    {
      title: 'Only the first 1,000 of 12,345 hosts are checked here',
      href: '/admin/infra?attention=true',
    },
  ]);
});

it('abuse reports need attention while open, with a link to them', () => {
  expect(concernsOfReports(0)).toEqual([]);
  expect(concernsOfReports(2)).toMatchObject([
    { title: '2 open abuse reports', href: expect.stringMatching(/abuse-reports\?filter=.*open/) },
  ]);
});

it('AI upstreams need attention if they fail, with their error', () => {
  const upstream = { id: 3, name: 'models', last_error: 'connection refused' };
  expect(concernsOfUpstreams([], 0)).toEqual([]);
  expect(concernsOfUpstreams([upstream], 1)).toMatchObject([
    { title: 'AI upstream models is failing', detail: 'connection refused', href: '/admin/ai-upstreams/3' },
  ]);
  expect(concernsOfUpstreams([upstream, { ...upstream, id: 4 }], 2)).toMatchObject([
    {
      title: '2 AI upstreams are failing',
      detail: 'models: connection refused',
      // Those of teams fail whenever the team stops its app.
      href: expect.stringContaining(encodeURIComponent('"team_id":null')),
    },
  ]);
});

describe('needs attention', () => {
  it('is empty for a healthy fleet', () => {
    expect(titles(host({}))).toEqual([]);
  });

  it('lists an unreachable host before a warning, with a link', () => {
    const concerns = concernsOf(
      [host({ warnings: ['open'] }), host({ id: 2, name: 'other', reachable: false })],
      [node],
    );
    expect(concerns.map((concern) => concern.title)).toEqual(['other is unreachable', 'Warning on pod']);
    expect(concerns[0]?.href).toBe('/admin/infra/teepods/2');
  });

  it('lists hosts with unset or nearly exhausted capacity', () => {
    expect(titles(host({ max_disk_gb: 0 }))).toEqual(['pod has no capacity set']);
    expect(titles(host({ used_vcpu: 9 }))).toEqual(['pod is nearly full']);
    expect(titles(host({ used_vcpu: 8 }))).toEqual([]);
  });

  it("compares CVM slots with the host's limit if that is lower", () => {
    expect(titles(host({ max_cvms: 60, host_cvms: 16, used_cvms: 16 }))).toEqual(['pod is nearly full']);
    expect(titles(host({ max_cvms: 60, host_cvms: null, used_cvms: 16 }))).toEqual([]);
    expect(titles(host({ max_cvms: 60, host_cvms: 0, used_cvms: 16 }))).toEqual([]);
  });

  it('counts errors of CVMs, with the latest and a link to the list', () => {
    const latest = { cvm_name: 'web', message: 'Deploy failed', created_at: '2026-11-21T08:00:00Z' };
    const [one] = concernsOfFailures(2, latest, '2026-11-20T08:00:00Z');
    expect(one?.title).toBe('2 CVM errors in the last 24 hours');
    expect(one?.detail).toBe('Latest: web, Deploy failed');
    expect(decodeURIComponent(one?.href ?? '')).toContain('"severity":"error","is_app_fault":false');
    expect(concernsOfFailures(0, undefined, '')).toEqual([]);
  });

  it('lists failing queues before late ones', () => {
    const queue = (parts: Partial<AdminQueue>) => ({ id: 'mail', name: 'Mail', ...parts }) as AdminQueue;
    const concerns = bySeverity(
      concernsOfQueues([
        queue({ state: 'late', waiting: 3 }),
        queue({ id: 'operations', name: 'Operations', state: 'failing', failed: 40, failed_last_hour: 1 }),
        queue({ state: 'waiting', waiting: 40 }),
        queue({ state: 'idle' }),
      ]),
    );
    expect(concerns.map(({ title }) => title)).toEqual(['Queue Operations is failing', 'Queue Mail is late']);
    expect(concerns[0]?.detail).toBe('1 job failed in the last hour.');
  });

  it('ignores hosts taken offline deliberately', () => {
    expect(titles(host({ state: 'offline', reachable: false }))).toEqual([]);
    expect(concernsOf([host({ reachable: false })], [{ ...node, state: 'offline' }])).toEqual([]);
  });
});

describe('key services that need attention', () => {
  const kms = (change: Partial<AdminKms>) =>
    ({
      id: 1,
      slug: 'main',
      state: 'active',
      notices: [],
      ...change,
    }) as AdminKms;

  it('lists changed keys before unreachable services, and skips retired and healthy ones', () => {
    const concerns = concernsOfKeys(
      [
        kms({
          health: 'unreachable',
          last_error: 'connection refused',
          answered_at: '2026-11-21T08:00:00Z',
        }),
        kms({
          id: 2,
          slug: 'other',
          health: 'alarm',
          notices: ['It has another key.'],
        }),
        kms({ id: 3, health: 'ok' }),
        kms({ id: 4, health: 'alarm', state: 'retired' }),
      ],
      [],
    );
    expect(concerns.map(({ title, detail, since }) => ({ title, detail, since }))).toEqual([
      { title: 'KMS other: alarm', detail: 'It has another key.', since: null },
      {
        title: 'KMS main is unreachable',
        detail: 'connection refused',
        since: '2026-11-21T08:00:00Z',
      },
    ]);
  });
});

describe('approvals', () => {
  const action = (id: number) => ({ id, title: `Confirm transfer TH-${id}, $500.00` }) as AdminFinanceAction;

  it('links to actions that wait for the user, and counts those that wait for another administrator', () => {
    const concerns = concernsOfApprovals({
      others: [action(1)],
      othersTotal: 1,
      own: [action(2)],
      ownTotal: 1,
    });
    expect(concerns).toMatchObject([
      {
        title: '1 finance action is waiting for approval',
        detail: 'Confirm transfer TH-1, $500.00.',
        href: '/admin/finance-actions/1',
      },
      { title: '1 of your requests is waiting for another administrator', href: '/admin/finance-actions/2' },
    ]);
  });

  it('links to the list if there are several', () => {
    const [several, ...rest] = concernsOfApprovals({
      others: [action(1), action(2)],
      othersTotal: 70,
      own: [],
      ownTotal: 0,
    });
    expect(rest).toEqual([]);
    expect(several).toMatchObject({
      title: '70 finance actions are waiting for approval',
      detail: 'Oldest: Confirm transfer TH-1, $500.00.',
    });
    expect(decodeURIComponent(several?.href ?? '')).toContain('{"state":"pending"}');
    expect(concernsOfApprovals({ others: [], othersTotal: 0, own: [], ownTotal: 0 })).toEqual([]);
  });
});

describe('many approvals', () => {
  it('are counted by the server, with own requests separate from others’', () => {
    const action = { id: 1, title: 'Confirm transfer TH-1, $500.00' } as AdminFinanceAction;
    const concerns = concernsOfApprovals({ others: [], othersTotal: 0, own: [action], ownTotal: 70 });
    expect(concerns.map(({ title }) => title)).toEqual([
      '70 of your requests are waiting for another administrator',
    ]);
    for (const is_own of [true, false])
      expect(approvalsQuery(is_own).filter).toEqual({ state: 'pending', is_own });
  });
});

describe('drains and drift', () => {
  it('lists a blocked drain with a link to it', () => {
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
      title: 'Draining pod is blocked by 2 CVMs',
      detail: '“web”: no room.',
      href: '/admin/infra/drains/3',
    });
  });

  it('lists a host with drift', () => {
    expect(titles(host({ drift: 2 }))).toEqual(['Drift on pod']);
  });
});

it('lists failing and late queues before the others', () => {
  const queue = (name: string, state: AdminQueue['state'], waiting = 0) =>
    ({ name, state, waiting }) as AdminQueue;
  const queues = [
    queue('mail', 'idle'),
    queue('rollouts', 'waiting', 99),
    queue('operations', 'working', 3),
    queue('webhooks', 'late', 9),
    queue('chat', 'failing'),
    queue('bulk', 'working', 7),
  ];
  expect(queuesByTrouble(queues).map(({ name }) => name)).toEqual([
    'chat',
    'webhooks',
    'bulk',
    'operations',
    'rollouts',
    'mail',
  ]);
});

it('shows who acknowledged an alert', () => {
  const alert = {
    severity: 'critical',
    acknowledged_at: null,
    acknowledged_by: null,
  } as AdminAlert;
  expect(stateOf(alert)).toBe('Critical. Not acknowledged.');
  const at = '2026-11-22T08:00:00Z';
  expect(
    stateOf({
      ...alert,
      severity: 'warning',
      acknowledged_at: at,
      acknowledged_by: 'Ada',
    }),
  ).toBe('Warning. Acknowledged by Ada.');
});

it('counts idle queues in a sentence', () => {
  expect(idleText(8, 0)).toBe('All 8 queues are idle');
  expect(idleText(3, 5)).toBe('3 other queues are idle');
  expect(idleText(1, 7)).toBe('1 other queue is idle');
});

it('treats a queue as quiet only without work and failures', () => {
  expect(isQuiet({ state: 'idle', waiting: 0, failed: 0 })).toBe(true);
  expect(isQuiet({ state: 'idle', waiting: 0, failed: 1 })).toBe(false);
  expect(isQuiet({ state: 'working', waiting: 0, failed: 0 })).toBe(false);
  expect(isQuiet({ state: 'waiting', waiting: 1, failed: 0 })).toBe(false);
});
