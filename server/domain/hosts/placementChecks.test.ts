import { describe, expect, it } from 'vitest';
import { whyClosed, placementChecks, type HostConditions } from './placementChecks';

const met: HostConditions = {
  teepod_state: 'online',
  node_state: 'online',
  teepod_online: true,
  node_online: true,
  reachable: true,
  outside_window: true,
  open_to_team: true,
};
const host = {
  teepod_id: 1,
  teepod_name: 'rack1',
  region: null,
  slots: 1,
  reservations: 3,
  vcpu: 4,
  memory_mb: 8192,
  disk_gb: 40,
  gpus: 0,
  kms_id: 1,
  kms_ids: [1],
  device_id: null,
};
const image = {
  name: 'dstack-0.6.0',
  slug: 'dstack-0.6.0-aa',
  state: 'active',
  is_dev: false,
  requires_gpu: false,
};
const good = {
  met,
  host,
  beside: host,
  held: undefined,
  services: [{ id: 1, chain_id: null }],
  images: [image],
  wish: { size: { vcpu: 4, memory_mb: 8192, disk_gb: 40 }, gpus: 0 },
};
type Given = Parameters<typeof placementChecks>[0];
const failing = (change: Partial<Given>) =>
  placementChecks({ ...good, ...change })
    .filter(({ state }) => state === 'failed')
    .map(({ name, found, advice }) => [name, found, advice !== null]);

describe('why a CVM is not placed on a host', () => {
  it('is room held for others, only if there would be enough without that', () => {
    const held = { vcpu: 2, memory_mb: 2048, disk_gb: 10, gpus: 0, until: new Date('2026-11-21T08:00:00Z') };
    const beside = { ...host, vcpu: 2 };
    expect(failing({ held, beside })).toEqual([
      [
        'held',
        'Offered to members of other teams on the waitlist and held until November 21, 2026, 08:00 UTC: 2 vCPU, 2 GB memory and 10 GB disk.',
        true,
      ],
    ]);
    expect(failing({ held, beside, host: { ...host, vcpu: 3 } }).map(([name]) => name)).toEqual(['vcpu']);
    expect(failing({ held })).toEqual([]);
  });

  it('is nothing if every condition is met', () => {
    expect(failing({})).toEqual([]);
    expect(placementChecks(good).every(({ advice }) => advice === null)).toBe(true);
  });

  it('names each missing resource with what is free', () => {
    expect(failing({ host: { ...host, slots: 0, vcpu: 3, memory_mb: 8191, disk_gb: 39 } })).toEqual([
      ['slots', '1 needed, 0 free.', true],
      ['vcpu', '4 needed, 3 free.', true],
      ['memory', '8192 MB needed, 8191 MB free.', true],
      ['disk', '40 GB needed, 39 GB free.', true],
    ]);
  });

  it('is a key service that is retired, or a contract without a device ID', () => {
    expect(failing({ services: [] })).toEqual([['kms', 'It has no active key service.', true]]);
    expect(failing({ services: [{ id: 1, chain_id: 8453 }] })).toEqual([
      [
        'kms',
        'Its key service has a contract, which allows machines by device ID, but its node has no device ID.',
        true,
      ],
    ]);
  });

  it('is an image for other CVMs', () => {
    expect(failing({ images: [] })).toEqual([['image', 'It has no OS image.', true]]);
    const gpus = { ...good.wish, gpus: 1 };
    expect(failing({ wish: gpus })).toEqual([
      ['image', 'None of its OS images can be used for CVMs with GPUs: dstack-0.6.0.', true],
      ['gpus', '1 needed, 0 free for the team.', true],
    ]);
  });

  it('may be that other hosts come first, because this one has GPUs', () => {
    const checks = placementChecks({ ...good, host: { ...host, gpus: 2 } });
    expect(checks.find(({ name }) => name === 'gpus')).toMatchObject({ state: 'warning' });
    expect(checks.some(({ state }) => state === 'failed')).toBe(false);
  });

  it.each<[Partial<HostConditions>, string | null]>([
    [{}, null],
    [{ teepod_online: false, teepod_state: 'cordoned', reachable: false }, 'it is cordoned'],
    [{ node_online: false, node_state: 'maintenance' }, 'its machine is in maintenance'],
    [{ node_online: false, node_state: 'offline' }, 'its machine is offline'],
    [{ outside_window: false }, 'its machine is in a maintenance window'],
    [{ reachable: false }, "it isn't responding"],
  ])('may be that it is closed: %o', (change, why) => {
    expect(whyClosed({ ...met, ...change })).toBe(why);
    expect(failing({ met: { ...met, ...change } })).toHaveLength(why === null ? 0 : 1);
  });
});
