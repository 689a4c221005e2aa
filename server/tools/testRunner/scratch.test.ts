import { spawnSync } from 'node:child_process';
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { namespace, scratchDir, sweepScratch } from './scratch';

let root: string;
beforeEach(async () => void (root = await mkdtemp(path.join(tmpdir(), 'teehouse-sweep-'))));
afterEach(() => rm(root, { recursive: true, force: true }));

it('removes a killed run’s leftovers, but nothing of running processes, other containers or other programs', async () => {
  const gone = spawnSync('true').pid;
  const here = namespace();
  const kept = [
    `teehouse-test-${here}-${process.pid}-aB3dEf`,
    `teehouse-test-1${here}-${gone}-aB3dEf`,
    `teehouse-${gone}`,
    `other-test-${here}-${gone}-aB3dEf`,
  ];
  for (const name of [...kept, `teehouse-e2e-own-${here}-${gone}-aB3dEf`]) {
    await mkdir(path.join(root, name, 'data'), { recursive: true });
    await writeFile(path.join(root, name, 'data/file'), 'x');
  }
  await sweepScratch([root, path.join(root, 'missing')]);
  expect((await readdir(root)).sort()).toEqual(kept.sort());
});

it('creates directories that a sweep recognizes as its own', async () => {
  const dir = await scratchDir('test');
  try {
    await sweepScratch();
    expect(await readdir(dir)).toEqual([]);
    expect(path.basename(dir)).toMatch(new RegExp(`^teehouse-test-${namespace()}-${process.pid}-\\w{6}$`));
  } finally {
    await rm(dir, { recursive: true, force: true });
  }
});
