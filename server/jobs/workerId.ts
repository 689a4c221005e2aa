import { createHash } from 'node:crypto';
import { readFileSync, readlinkSync } from 'node:fs';
import { hostname } from 'node:os';

/**
 * Names of workers in leases: which machine, which process, which start of it. Process ids mean something only within
 * one boot and one pid namespace, so both are part of the machine's name: containers of one host are told apart.
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

/** Whether the worker of that name was a process of this machine that is no more. */
export function isDeadWorker(id: string): boolean {
  const [machine, pid] = id.split('-');
  if (machine !== MACHINE || !pid || !/^\d+$/.test(pid)) return false;
  // A new process with the old number is this one (a container's first process always has the same).
  if (Number(pid) === process.pid) return true;
  try {
    process.kill(Number(pid), 0);
    return false;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ESRCH';
  }
}

function read(source: () => string): string {
  try {
    return source().trim();
  } catch {
    return ''; // not Linux: the host's name has to do
  }
}
