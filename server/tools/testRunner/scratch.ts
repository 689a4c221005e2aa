import { readlinkSync, statfsSync } from 'node:fs';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { availableMemory } from 'node:process';
import path from 'node:path';

const MEMORY = '/dev/shm';
const DISK = '/tmp';
const TMPFS_MAGIC = 0x01_02_19_94;
/** More than the test databases of a whole run take at any time. */
const ENOUGH_BYTES = 4 * 2 ** 30;

/**
 * Creates a temporary directory for databases that tests create and delete all the time: in memory if there is plenty,
 * otherwise in /tmp. Copying a database there creates a thousand files, and ext4 looks at every file deleted in the
 * last minutes before it creates one, which takes ten times the processor time of the copy.
 *
 * @param purpose part of its name, in lower case with hyphens
 */
export const scratchDir = (purpose: string): Promise<string> =>
  mkdtemp(path.join(hasMemory() ? MEMORY : DISK, `teehouse-${purpose}-${namespace()}-${process.pid}-`));

const OWNED = /^teehouse-[a-z0-9-]+-(?<namespace>\d+)-(?<pid>\d+)-[A-Za-z0-9]{6}$/;

/** Returns what the process ID is counted in: containers may share a directory and have the same process IDs. */
export function namespace(): string {
  try {
    return /\d+/.exec(readlinkSync('/proc/self/ns/pid'))?.[0] ?? '0';
  } catch {
    return '0';
  }
}

/**
 * Removes the scratch directories whose process is gone: one that was killed could not, and memory isn't emptied by the
 * operating system as /tmp is. A PostgreSQL that still runs in one ends when its files are gone. Those of another
 * container are left to its own runs.
 */
export async function sweepScratch(roots: readonly string[] = [MEMORY, DISK]): Promise<void> {
  for (const root of roots)
    for (const name of await readdir(root).catch(() => [])) {
      const owner = OWNED.exec(name)?.groups;
      if (owner?.namespace !== namespace() || isRunning(Number(owner.pid))) continue;
      // What cannot be removed now, such as another user's, is left to a later run.
      await rm(path.join(root, name), { recursive: true, force: true, maxRetries: 3 }).catch(() => undefined);
    }
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'ESRCH';
  }
}

function hasMemory(): boolean {
  if (process.platform !== 'linux' || availableMemory() < 2 * ENOUGH_BYTES) return false;
  try {
    const { type, bavail, bsize } = statfsSync(MEMORY);
    return type === TMPFS_MAGIC && bavail * bsize >= ENOUGH_BYTES;
  } catch {
    return false;
  }
}
