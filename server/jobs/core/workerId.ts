import { createHash } from 'node:crypto';
import { readFileSync, readlinkSync } from 'node:fs';
import { hostname } from 'node:os';

/**
 * Worker names in leases: machine, process, and process start. Process IDs are only meaningful within one
 * boot and one PID namespace, so both are part of the machine's name: containers on one host get different
 * names.
 */
const MACHINE = createHash('sha256')
  .update(
    [
      hostname(),
      read(() => readFileSync('/proc/sys/kernel/random/boot_id', 'utf8')),
      read(() => readlinkSync('/proc/self/ns/pid')),
    ].join('|'),
  )
  .digest('hex')
  .slice(0, 12);

export const newWorkerId = () => `${MACHINE}-${process.pid}-${Math.random().toString(36).slice(2, 8)}`;

/** Returns whether that worker was a process of this machine that no longer exists. */
export function isDeadWorker(id: string): boolean {
  const [machine, pid] = id.split('-');
  if (machine !== MACHINE || !pid || !/^\d+$/.test(pid)) return false;
  // The number was reused by this process. A container's first process always has the same one.
  if (Number(pid) === process.pid) return true;
  try {
    process.kill(Number(pid), 0);
    return false;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ESRCH';
  }
}

/**
 * Returns a test for the dead workers among lease holders. `own` is the running worker's ID, which would
 * otherwise look like a former process with the same process ID.
 */
export const deadExcept =
  (own: string) =>
  (holder: string): boolean =>
    holder !== own && isDeadWorker(holder);

function read(source: () => string): string {
  try {
    return source().trim();
  } catch {
    return ''; // not Linux: the hostname must do
  }
}
