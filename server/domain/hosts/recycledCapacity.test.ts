import { describe, expect, it } from 'vitest';
import { binTexts, roomInBin, shareOfBin, type RecycledCvm } from './recycledCapacity';
import { refusal, type Candidate } from './scheduler';

const host = (change: Partial<Candidate> = {}): Candidate => ({
  teepod_id: 1,
  teepod_name: 'rack1',
  region: null,
  reservations: 1,
  slots: 0,
  vcpu: 8,
  memory_mb: 16_384,
  disk_gb: 100,
  gpus: 0,
  ...change,
});
const bin = (id: number, change: Partial<RecycledCvm> = {}): RecycledCvm => ({
  id,
  teepod_id: 1,
  disk_gb: 20,
  is_own: false,
  deleted_at: new Date(id * 1000),
  is_purgeable: true,
  is_purging: false,
  ...change,
});
const wish = { size: { vcpu: 1, memory_mb: 2048, disk_gb: 20 } };

describe('the share of the recycle bin in a refusal', () => {
  const messageOf = (hosts: Candidate[], recycled: RecycledCvm[], size = wish.size) => {
    const problem = refusal(hosts, { size }, binTexts(shareOfBin(hosts, { size }, recycled)));
    return { message: problem.message, suggestions: problem.info.suggestions };
  };

  it("names slots if slots are missing, and the team's part", () => {
    const { message, suggestions } = messageOf([host()], [bin(1), bin(2, { is_own: true })]);
    expect(message).toContain('All CVM slots');
    expect(message).toContain(
      'Deleted CVMs in the recycle bin take up 2 CVM slots on otherwise suitable hosts, including 1 CVM slot from your team.',
    );
    expect(suggestions?.[0]).toBe("Destroy deleted CVMs in your team's recycle bin that you no longer need.");
  });

  it('names disk if disk is missing', () => {
    const { message } = messageOf([host({ slots: 3, disk_gb: 10 })], [bin(1), bin(2)]);
    expect(message).toContain('take up 40 GB of disk on otherwise suitable hosts.');
  });

  it('counts only hosts that fit otherwise', () => {
    const small = host({ teepod_id: 2, teepod_name: 'rack2', vcpu: 0 });
    const { message } = messageOf([host(), small], [bin(1), bin(2, { teepod_id: 2 })]);
    expect(message).toContain('take up 1 CVM slot on');
  });

  it('is not mentioned if it holds nothing of what is missing', () => {
    expect(messageOf([host()], []).message).not.toContain('recycle bin');
    expect(messageOf([host({ slots: 1, vcpu: 0 })], [bin(1)]).message).not.toContain('recycle bin');
  });
});

describe('room in the recycle bin', () => {
  it('takes the oldest, as many as are needed', () => {
    const hosts = [host({ slots: 0, disk_gb: 0 })];
    expect(roomInBin(hosts, wish, [bin(3), bin(1), bin(2)])?.purge).toEqual([1]);
    const size = { ...wish.size, disk_gb: 40 };
    expect(roomInBin(hosts, { size }, [bin(3), bin(1), bin(2)])?.purge).toEqual([1, 2]);
  });

  it('spares small disks that a larger one makes unnecessary', () => {
    const size = { ...wish.size, disk_gb: 100 };
    const recycled = [bin(1, { disk_gb: 10 }), bin(2, { disk_gb: 20 }), bin(3, { disk_gb: 100 })];
    expect(roomInBin([host({ slots: 5, disk_gb: 0 })], { size }, recycled)?.purge).toEqual([3]);
  });

  it('spares those that may not be purged, and is null without others', () => {
    const kept = bin(1, { is_purgeable: false });
    expect(roomInBin([host()], wish, [kept, bin(2)])?.purge).toEqual([2]);
    expect(roomInBin([host()], wish, [kept])).toBeNull();
  });

  it('counts on those already being destroyed', () => {
    const leaving = bin(1, { is_purgeable: false, is_purging: true });
    expect(roomInBin([host()], wish, [leaving, bin(2)])).toMatchObject({ purge: [], purging: [1] });
  });

  it('chooses the host that needs the fewest purges, in the region and with the other resources', () => {
    const hosts = [
      host({ disk_gb: 0 }),
      host({ teepod_id: 2, teepod_name: 'rack2' }),
      host({ teepod_id: 3, teepod_name: 'rack3', memory_mb: 0 }),
    ];
    const recycled = [
      bin(1, { disk_gb: 10 }),
      bin(2, { disk_gb: 10 }),
      bin(3, { teepod_id: 2 }),
      bin(4, { teepod_id: 3 }),
    ];
    expect(roomInBin(hosts, wish, recycled)).toMatchObject({ teepod_name: 'rack2', purge: [3] });
    expect(roomInBin(hosts, { ...wish, region: 'eu' }, recycled)).toBeNull();
  });
});
