import { describe, expect, it } from 'vitest';
import { apart, rank, refusal, type Candidate } from './scheduler';

const host = (teepod_id: number, change: Partial<Candidate> = {}): Candidate => ({
  teepod_id,
  teepod_name: `host-${teepod_id}`,
  region: null,
  slots: 10,
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
    expect(ids(rank(hosts, { size, gpus: 1 }))).toEqual([2, 3]);
    expect(ids(rank(hosts, { size, gpus: 4 }))).toEqual([3]);
    expect(ids(rank(hosts, { size }))).toEqual([1, 2, 3]);
    expect(ids(rank(hosts.slice(1), { size }))).toEqual([2, 3]);
  });

  it('names the missing resource, with the largest number free', () => {
    const problem = refusal(hosts, { size, gpus: 9 });
    expect(problem.code).toBe('ERR-02-007');
    expect(problem.message).toBe('No host has 9 GPUs free for your team (limit: GPUs; most free: 8).');
    expect(refusal([], { size, gpus: 1 }).code).toBe('ERR-02-002');
  });
});
