import { existsSync } from 'node:fs';
import { chmod, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { acquireLock } from '../../db/core/postgres/lock';
import { writeRecord } from '../../db/core/postgres/place';
import { sweepScratch } from './scratchDatabase';

let dir: string;
let temporary: string | undefined;
beforeEach(async () => {
  dir = await mkdtemp('/tmp/teehouse-sweeps-');
  temporary = process.env.TMPDIR;
  process.env.TMPDIR = dir;
});
afterEach(async () => {
  if (temporary === undefined) delete process.env.TMPDIR;
  else process.env.TMPDIR = temporary;
  await rm(dir, { recursive: true, force: true });
});

const lockOf = (scratch: string) => path.join(scratch, 'lock');

/** Creates a directory with a stale lock of a dead process. */
async function abandoned(name = 'teehouse drill', prefix = 'teehouse-drill-'): Promise<string> {
  const scratch = await mkdtemp(path.join(dir, prefix));
  const lock = await acquireLock(lockOf(scratch), 'command', name);
  const text = await readFile(lockOf(scratch), 'utf8');
  if ('heldBy' in lock) throw new Error('The lock of a new directory is held.');
  await lock.release();
  await writeFile(lockOf(scratch), text.replace(/"started":"[^"]*"/, '"started":"0"'));
  return scratch;
}

async function sweep(): Promise<string[]> {
  const said: string[] = [];
  await sweepScratch((line) => said.push(line));
  return said;
}

it('removes killed drills’ directories, including files kept elsewhere', async () => {
  const scratch = await abandoned();
  const [data, sockets] = [path.join(dir, 'lib/abc/postgres'), path.join(dir, 'sockets')];
  await mkdir(data, { recursive: true });
  await mkdir(sockets);
  await writeRecord(scratch, { engine: 'postgresql', data, sockets });
  const other = await abandoned();
  expect((await sweep()).toSorted()).toEqual(
    [scratch, other].toSorted().map((one) => `Removed ${one}, left over from a killed drill.`),
  );
  expect([scratch, other, data, sockets].filter((one) => existsSync(one))).toEqual([]);
});

it('keeps the directory of a running drill', async () => {
  const scratch = await mkdtemp(path.join(dir, 'teehouse-drill-'));
  const lock = await acquireLock(lockOf(scratch), 'command', 'teehouse drill');
  expect(await sweep()).toEqual([]);
  expect(await readFile(lockOf(scratch), 'utf8')).toContain('teehouse drill');
  if (!('heldBy' in lock)) await lock.release();
});

it('keeps the directory of a drill that is just starting', async () => {
  const scratch = await mkdtemp(path.join(dir, 'teehouse-drill-'));
  expect(await sweep()).toEqual([]);
  expect(existsSync(scratch)).toBe(true);
});

it('keeps directories that aren’t a drill’s, or that others can change', async () => {
  const installation = await abandoned('the server');
  const longer = await abandoned('teehouse drill', 'teehouse-drill-of-mine-');
  const shared = await abandoned();
  await chmod(shared, 0o777);
  const elsewhere = await abandoned('teehouse drill', 'elsewhere-');
  await symlink(elsewhere, path.join(dir, 'teehouse-drill-link00'));
  expect(await sweep()).toEqual([]);
  for (const one of [installation, longer, shared, elsewhere])
    expect(existsSync(lockOf(one)), one).toBe(true);
});
