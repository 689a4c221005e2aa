import { describe, expect, it } from 'vitest';
import { apart, isAsGood, rank, refusal, type Candidate } from './scheduler';

const host = (teepod_id: number, change: Partial<Candidate> = {}): Candidate => ({
  teepod_id,
  teepod_name: `host-${teepod_id}`,
  region: null,
  slots: 10,
  reservations: 1,
  vcpu: 100,
  memory_mb: 100_000,
  disk_gb: 1000,
  gpus: 0,
  ...change,
});
const size = { vcpu: 1, memory_mb: 2048, disk_gb: 20 };
const ids = (hosts: Candidate[]) => hosts.map(({ teepod_id }) => teepod_id);

describe('replicas of an app', () => {
  const on = (teepod_id: number, node_id: number) => ({ ...host(teepod_id), node_id });
  const replicas = (teepod_id: number, node_id: number, count: number) => ({ teepod_id, node_id, count });

  it('go to the best host with the fewest of them', () => {
    const ranked = [on(1, 1), on(2, 2), on(3, 3), on(4, 4)];
    expect(ids(apart(ranked, [replicas(1, 1, 2), replicas(2, 2, 1), replicas(4, 4, 1)]))).toEqual([
      3, 2, 4, 1,
    ]);
  });

  it('go to another machine rather than to another teepod of the same one', () => {
    const ranked = [on(1, 1), on(2, 1), on(3, 2)];
    expect(ids(apart(ranked, [replicas(1, 1, 1)]))).toEqual([3, 2, 1]);
  });
});

describe('GPUs in host selection', () => {
  const hosts = [host(1), host(2, { gpus: 2, memory_mb: 200_000 }), host(3, { gpus: 8 })];

  it('places a GPU size where enough are free, and avoids GPU hosts otherwise where possible', () => {
    expect(ids(rank(hosts, { size, gpus: 1 }, 'spread'))).toEqual([2, 3]);
    expect(ids(rank(hosts, { size, gpus: 4 }, 'spread'))).toEqual([3]);
    expect(ids(rank(hosts, { size }, 'spread'))).toEqual([1, 2, 3]);
    expect(ids(rank(hosts.slice(1), { size }, 'spread'))).toEqual([2, 3]);
  });

  it('names the missing resource, with the largest number free', () => {
    const problem = refusal(hosts, { size, gpus: 9 });
    expect(problem.code).toBe('ERR-02-007');
    expect(problem.message).toBe('No host has 9 GPUs free for your team (limit: GPUs; most free: 8).');
    expect(refusal([], { size, gpus: 1 }).code).toBe('ERR-02-002');
  });

  it('names nothing as free where more is held and used than there is', () => {
    const { message, info } = refusal([host(1, { vcpu: -30, disk_gb: -5 })], { size });
    expect(message).toBe('No host has 1 vCPU free (limit: vCPU; most free: 0).');
    expect(JSON.stringify(info.details)).toContain(
      'has 10 CVM slots, 0 vCPU, 100000 MB memory and 0 GB disk free.',
    );
  });
});

describe('packing', () => {
  const hosts = [
    host(1),
    host(2, { memory_mb: 8192 }),
    host(3, { memory_mb: 4096, reservations: 0 }),
    host(4, { memory_mb: 4096, gpus: 1 }),
    host(5, { memory_mb: 1024 }),
    host(6, { vcpu: 3 }),
  ];

  it('takes the fullest host that fits, an empty one after all others, and one with GPUs last', () => {
    expect(ids(rank(hosts, { size }, 'pack'))).toEqual([6, 2, 1, 3, 4]);
    expect(ids(rank(hosts, { size }, 'spread'))).toEqual([1, 6, 2, 3, 4]);
  });

  it('keeps replicas apart nevertheless', () => {
    const on = hosts.map((one) => ({ ...one, node_id: one.teepod_id }));
    const ranked = rank(on, { size }, 'pack');
    expect(ids(apart(ranked, [{ teepod_id: 6, node_id: 6, count: 1 }]))).toEqual([2, 1, 3, 4, 6]);
  });

  it('waits for the best host rather than using an empty one', () => {
    const [used, other, empty] = hosts as [Candidate, Candidate, Candidate];
    const good = (one: Candidate, best: Candidate) => isAsGood(one, best, { size }, 'pack');
    expect([good(other, used), good(empty, used), good(used, empty), good(empty, empty)]).toEqual([
      true,
      false,
      false,
      false,
    ]);
    expect(isAsGood(empty, used, { size }, 'spread')).toBe(true);
  });
});
