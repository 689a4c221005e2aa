import { createHash } from 'node:crypto';
import { readFileSync, readlinkSync } from 'node:fs';
import { hostname } from 'node:os';

/**
 * Names this machine, its boot and the PID namespace, in which process IDs are meaningful: containers on one host get
 * different names. A hardened service (ProcSubset=pid) can't read the boot ID, and cloned machines share a host name, so
 * the machine's own ID is part of it too.
 */
export const machineName = (host: string, read: (file: string) => string): string =>
  createHash('sha256')
    .update(
      [host, ...['/etc/machine-id', '/proc/sys/kernel/random/boot_id', '/proc/self/ns/pid'].map(read)].join(
        '|',
      ),
    )
    .digest('hex')
    .slice(0, 12);

const MACHINE = machineName(hostname(), (file) => {
  try {
    return (file.startsWith('/proc/self/ns/') ? readlinkSync(file) : readFileSync(file, 'utf8')).trim();
  } catch {
    return ''; // Not Linux, or hidden.
  }
});

/** Returns a worker's name in leases: machine, process, and process start. */
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
