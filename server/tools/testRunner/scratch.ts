import { readlinkSync, statfsSync } from 'node:fs';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { availableMemory } from 'node:process';
import path from 'node:path';

const MEMORY = '/dev/shm';
const DISK = '/tmp';
const TMPFS_MAGIC = 0x01_02_19_94;
/** Exceeds the peak size of a whole run's test databases. */
const ENOUGH_BYTES = 4 * 2 ** 30;

/**
 * Creates a temporary directory for short-lived test databases: in memory if there is plenty, otherwise in /tmp.
 * Copying a database creates a thousand files, and ext4 checks every recently deleted file before it creates one,
 * which takes ten times the processor time of the copy.
 *
 * @param purpose part of its name, in lower case with hyphens
 */
export const scratchDir = (purpose: string): Promise<string> =>
  mkdtemp(path.join(hasMemory() ? MEMORY : DISK, `teehouse-${purpose}-${namespace()}-${process.pid}-`));

const OWNED = /^teehouse-[a-z0-9-]+-(?<namespace>\d+)-(?<pid>\d+)-[A-Za-z0-9]{6}$/;

/** Returns the PID namespace: containers may share a directory and have the same process IDs. */
export function namespace(): string {
  try {
    return /\d+/.exec(readlinkSync('/proc/self/ns/pid'))?.[0] ?? '0';
  } catch {
    return '0';
  }
}

/**
 * Removes scratch directories whose process is gone: a killed process can't clean up, and the operating system
 * doesn't empty memory as it does /tmp. A PostgreSQL still running in one exits when its files are gone. Other
 * containers' directories are left to their own runs.
 */
export async function sweepScratch(roots: readonly string[] = [MEMORY, DISK]): Promise<void> {
  for (const root of roots)
    for (const name of await readdir(root).catch(() => [])) {
      const owner = OWNED.exec(name)?.groups;
      if (owner?.namespace !== namespace() || isRunning(Number(owner.pid))) continue;
      // Directories that can't be removed now, such as another user's, are left to a later run.
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
