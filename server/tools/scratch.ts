import { statfsSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { availableMemory } from 'node:process';
import path from 'node:path';

const MEMORY = '/dev/shm';
const TMPFS_MAGIC = 0x01_02_19_94;
/** More than the test databases of a whole run take at any time. */
const ENOUGH_BYTES = 4 * 2 ** 30;

/**
 * Creates a temporary directory for databases that tests create and delete all the time: in memory if there is plenty,
 * otherwise in /tmp. Copying a database there creates a thousand files, and ext4 looks at every file deleted in the
 * last minutes before it creates one, which takes ten times the processor time of the copy.
 */
export const scratchDir = (prefix: string): Promise<string> =>
  mkdtemp(path.join(hasMemory() ? MEMORY : '/tmp', prefix));

function hasMemory(): boolean {
  if (process.platform !== 'linux' || availableMemory() < 2 * ENOUGH_BYTES) return false;
  try {
    const { type, bavail, bsize } = statfsSync(MEMORY);
    return type === TMPFS_MAGIC && bavail * bsize >= ENOUGH_BYTES;
  } catch {
    return false;
  }
}
