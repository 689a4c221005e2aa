import { existsSync } from 'node:fs';
import { chmod, mkdir, mkdtemp, readFile, rm, utimes, writeFile } from 'node:fs/promises';
import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { hydrate } from './binaries';
import { acquireLock } from './lock';
import { firstClosedParent } from './place';

let dir: string;
beforeEach(async () => {
  dir = await mkdtemp('/tmp/teehouse-postgres-test-');
});
afterEach(() => rm(dir, { recursive: true }));

describe('the lock on a data directory', () => {
  const take = () => acquireLock(path.join(dir, 'lock'), 'server', 'the server');
  const holder = (text: Record<string, unknown>) => writeFile(path.join(dir, 'lock'), JSON.stringify(text));

  it('is acquired by one of many, and by the next after release', async () => {
    const all = await Promise.all(Array.from({ length: 20 }, take));
    const winners = all.filter((lock) => 'release' in lock);
    expect(winners).toHaveLength(1);
    expect(all.find((lock) => 'heldBy' in lock)).toMatchObject({
      heldBy: { pid: process.pid, kind: 'server' },
    });
    for (const lock of winners) await lock.release();
    const next = await take();
    expect('release' in next).toBe(true);
    if ('release' in next) await next.release();
    expect(existsSync(path.join(dir, 'lock'))).toBe(false);
  });

  it('ignores a holder that died, even if its process ID was reused', async () => {
    const first = await take();
    const text = JSON.parse(await readFile(path.join(dir, 'lock'), 'utf8')) as Record<string, unknown>;
    if ('release' in first) await first.release();
    const gone = spawnSync('true').pid;
    const dead = [
      { ...text, pid: gone },
      { ...text, started: '1' },
    ];
    // Many times, because two winners would be a matter of microseconds.
    for (const one of Array.from({ length: 100 }, () => dead).flat()) {
      await holder(one);
      const many = await Promise.all(Array.from({ length: 10 }, take));
      const won = many.filter((lock) => 'release' in lock);
      expect(won).toHaveLength(1);
      for (const lock of won) await lock.release();
    }
  });

  it('respects a holder in another container while it shows signs of life', async () => {
    await holder({ pid: 1, started: '5', space: 'elsewhere', kind: 'server', name: 'the server' });
    expect(await take()).toMatchObject({ heldBy: { pid: 1 } });
    const earlier = new Date(Date.now() - 60_000);
    await utimes(path.join(dir, 'lock'), earlier, earlier);
    const lock = await take();
    expect('release' in lock).toBe(true);
    if ('release' in lock) await lock.release();
  });

  it('is not blocked by a damaged file', async () => {
    await writeFile(path.join(dir, 'lock'), '{');
    const lock = await take();
    expect('release' in lock).toBe(true);
    if ('release' in lock) await lock.release();
  });
});

it('creates the links that `npm ci --ignore-scripts` leaves out, any number of times', async () => {
  await mkdir(path.join(dir, 'native/lib'), { recursive: true });
  await writeFile(path.join(dir, 'native/lib/libx.so.1.2'), 'code');
  const links = [{ source: 'native/lib/libx.so.1.2', target: 'native/lib/libx.so' }];
  await writeFile(path.join(dir, 'native/pg-symlinks.json'), JSON.stringify(links));
  await hydrate(dir);
  await Promise.all([hydrate(dir), hydrate(dir)]);
  expect(await readFile(path.join(dir, 'native/lib/libx.so'), 'utf8')).toBe('code');
});

it('finds the directory that is closed to another user', async () => {
  const closed = path.join(dir, 'closed');
  await mkdir(path.join(closed, 'deep'), { recursive: true });
  const stranger = { uid: 54321, gid: 54321 };
  await chmod(dir, 0o755);
  await chmod(closed, 0o755);
  expect(await firstClosedParent(path.join(closed, 'deep', 'file'), stranger)).toBeUndefined();
  await chmod(closed, 0o750);
  expect(await firstClosedParent(path.join(closed, 'deep', 'file'), stranger)).toBe(closed);
  const owner = { uid: process.getuid!(), gid: process.getgid!() };
  expect(await firstClosedParent(path.join(closed, 'deep', 'file'), owner)).toBeUndefined();
});
