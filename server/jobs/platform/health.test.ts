import { describe, expect, it } from 'vitest';
import type { GuestContainer } from '../../drivers/vmm';
import { judge, upSeconds } from './health';

const container = (state: string, status: string, name = 'web'): GuestContainer => ({
  id: name,
  names: [`/${name}`],
  image: 'nginx',
  image_id: '',
  created: 1,
  state,
  status,
});
const evidence = { compose_hash: 'a', expected: 'a', matches: true, trust: 'simulated' as const };
const look = (...containers: GuestContainer[]) => judge(containers, evidence, { services: 1 });

describe('a CVM is healthy', () => {
  it('when all its containers are up, or have finished', () => {
    expect(look(container('running', 'Up 4 seconds'))).toMatchObject({ well: true, up_seconds: 4 });
    expect(look(container('running', 'Up 2 minutes (healthy)')).well).toBe(true);
    expect(
      look(container('exited', 'Exited (0) 3 seconds ago', 'migrate'), container('running', 'Up 1 second')),
    ).toMatchObject({ well: true });
    expect(judge([], evidence, { services: 0 }).well).toBe(true);
  });

  it.each([
    [container('restarting', 'Restarting (1) 2 seconds ago'), 'restarting'],
    [container('exited', 'Exited (1) 2 seconds ago'), 'Exited (1)'],
    [container('running', 'Up 9 seconds (unhealthy)'), 'unhealthy'],
    [container('running', 'Up 1 second (health: starting)'), 'health check'],
    [container('created', 'Created'), 'created'],
    [container('dead', 'Dead'), 'dead'],
  ])('but not with %o', (one, says) => {
    const health = look(container('running', 'Up 3 minutes', 'other'), one);
    expect(health.well).toBe(false);
    expect(health.message).toContain(says);
  });

  it('but not with an unexpected compose hash or without containers', () => {
    const other = { ...evidence, compose_hash: 'b'.repeat(64), matches: false };
    expect(judge([container('running', 'Up')], other, { services: 1 }).message).toContain('bbbbbbbbbbbb');
    expect(look().well).toBe(false);
  });

  it('keeps no lone surrogate of a long name, because PostgreSQL stores none in JSON', () => {
    const status = `Up 1 second ${'a'.repeat(187)}🚀`;
    const [shown] = look(container(`${'s'.repeat(31)}🚀`, status, `${'a'.repeat(255)}🚀`)).containers;
    expect(shown).toEqual({ name: 'a'.repeat(255), state: 's'.repeat(31), status: status.slice(0, 199) });
  });

  it('limits a container’s uptime to the bound in its status', () => {
    expect(
      ['Up Less than a second', 'Up 59 seconds', 'Up About a minute', 'Up 2 minutes', 'Up About an hour'].map(
        upSeconds,
      ),
    ).toEqual([0, 59, 120, 180, 7200]);
    expect(upSeconds('Up')).toBeNull();
  });
});
