import { createHash } from 'node:crypto';
import { readFile, stat, statfs } from 'node:fs/promises';
import { hostname } from 'node:os';
import { noteAlertSeen, reconcileAlerts, notifyChats } from '../../db/platform/alerts';
import { troublesOf, type Trouble } from '../../db/platform/alertTroubles';
import { withTransaction, type Db } from '../../db/core/client';

/** `free`: share of the disk, from 0 to 1. */
interface DiskSpace {
  /** The same for every process that uses the disk, whatever its container is called. */
  id: string;
  free: number;
  gigabytes: number;
}

export interface AlertOptions {
  db: Db;
  /** The server's own disk, which may also hold the database. */
  dataDir: string;
  now?: () => Date;
  /** Name of the machine that reports the disk. */
  machine?: string;
  spaceOf?: (dir: string) => Promise<DiskSpace | null>;
}

const KIND = 'server_disk_low';
const subjectOf = ({ id }: DiskSpace) => `disk:${id}`;

/** Reconciles alerts with current problems, and queues each chat's messages. */
export async function watchAlerts({
  db,
  dataDir,
  now = () => new Date(),
  machine = hostname(),
  spaceOf = diskSpace,
}: AlertOptions): Promise<void> {
  const disk = await spaceOf(dataDir);
  const own = disk && subjectOf(disk);
  const low = ownDisk(machine, disk);
  const troubles = [...(await troublesOf(db)), ...low];
  await withTransaction(db, async (trx) => {
    const changes = await reconcileAlerts(
      trx,
      troubles,
      // A process knows only its own disk.
      ({ kind, subject, seen_lately }) => kind === KIND && subject !== own && seen_lately,
    );
    await notifyChats(trx, changes, now());
    for (const trouble of low) await noteAlertSeen(trx, trouble);
  });
}

async function diskSpace(dir: string): Promise<DiskSpace | null> {
  const [space, id] = await Promise.all([statfs(dir), diskId(dir)]).catch(() => [null, ''] as const);
  if (!space || space.blocks === 0) return null;
  return {
    id,
    free: space.bavail / space.blocks,
    gigabytes: Math.floor((space.bavail * space.bsize) / 1024 ** 3),
  };
}

/**
 * Identifies the file system of a directory on its machine. Linux gives all containers of a machine the same boot ID, and
 * a volume the same device number in each.
 */
async function diskId(dir: string): Promise<string> {
  const boot = await readFile('/proc/sys/kernel/random/boot_id', 'utf8').catch(() => hostname());
  const { dev } = await stat(dir);
  return createHash('sha256').update(`${boot.trim()} ${dev}`).digest('hex').slice(0, 16);
}

function ownDisk(machine: string, disk: DiskSpace | null): Trouble[] {
  if (!disk || disk.free > 0.1) return [];
  return [
    {
      kind: KIND,
      subject: subjectOf(disk),
      severity: disk.free < 0.03 ? 'critical' : 'warning',
      title: `The server ${machine} is running out of disk`,
      message: `The disk with DATA_DIR has ${disk.gigabytes} GB free.`,
    },
  ];
}
