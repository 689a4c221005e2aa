import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { z } from 'zod';
import { acquireLock } from '../db/core/postgres/lock';

/**
 * The demo's data directory. A file marks it: in a folder without the mark, nothing is written or deleted, so
 * that no mistake overwrites a real installation.
 */

const MARK = 'teehouse-demo.json';

const Mark = z.object({
  teehouse_demo: z.literal(1),
  /** `filled`: its history is written. `started`: its CVMs were also started. */
  stage: z.enum(['new', 'filling', 'filled', 'started']),
});
type Stage = z.infer<typeof Mark>['stage'];

/** The folder can't be used; the message says why and what to do. */
export class DemoFolderError extends Error {}

/** Creates and marks the folder if it is new. @returns the demo's progress */
export async function openDemoFolder(folder: string): Promise<Stage> {
  const entries = await entriesOf(folder);
  if (entries.length === 0) {
    await mkdir(folder, { recursive: true, mode: process.getuid?.() === 0 ? 0o711 : 0o700 });
    await markDemoFolder(folder, 'new');
    return 'new';
  }
  return stageOf(folder);
}

export async function markDemoFolder(folder: string, stage: Stage): Promise<void> {
  const file = path.join(folder, MARK);
  // Written atomically: a partial mark would make the folder unusable.
  await writeFile(`${file}.new`, `${JSON.stringify({ teehouse_demo: 1, stage })}\n`);
  await rename(`${file}.new`, file);
}

/** Deletes the demo in a folder, unless a server uses it. */
export async function deleteDemo(folder: string): Promise<void> {
  const entries = await entriesOf(folder);
  if (entries.length === 0) return;
  await stageOf(folder);
  const lock = await acquireLock(path.join(folder, 'lock'), 'command', 'npm run demo -- reset');
  if ('heldBy' in lock)
    throw new DemoFolderError(`Process ${lock.heldBy.pid} uses the demo in ${folder}. Stop it first.`);
  try {
    // The mark is deleted last: if interrupted, the next reset continues.
    for (const entry of entries)
      if (entry !== MARK && entry !== 'lock')
        await rm(path.join(folder, entry), { recursive: true, force: true });
  } finally {
    await lock.release();
  }
  await rm(folder, { recursive: true, force: true });
}

async function stageOf(folder: string): Promise<Stage> {
  const text = await readFile(path.join(folder, MARK), 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null;
    throw error;
  });
  const parsed = text === null ? null : Mark.safeParse(jsonOf(text));
  if (!parsed?.success)
    throw new DemoFolderError(
      `${folder} has files, but they are not of a demo (there is no valid ${MARK}). Nothing was changed. Choose another folder with --dir=folder.`,
    );
  return parsed.data.stage;
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** Empty for a folder that doesn't exist. */
async function entriesOf(folder: string): Promise<string[]> {
  return readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return [];
    if (error.code === 'ENOTDIR') throw new DemoFolderError(`${folder} is a file.`);
    throw error;
  });
}
