import { statfs } from 'node:fs/promises';
import { hostname } from 'node:os';
import { machinesAtWork, reconcileAlerts, tellChats } from '../../db/platform/alerts';
import { troublesOf, type Trouble } from '../../db/platform/alertTroubles';
import { withTransaction, type Db } from '../../db/core/client';

/** `free`: share of the disk, from 0 to 1. */
interface DiskSpace {
  free: number;
  gigabytes: number;
}

export interface AlertOptions {
  db: Db;
  /** The server's own disk, which may also hold the database. */
  dataDir: string;
  now?: () => Date;
  /** Name of the machine whose disk this is. */
  machine?: string;
  spaceOf?: (dir: string) => Promise<DiskSpace | null>;
}

const KIND = 'server_disk_low';
const subjectOf = (machine: string) => `server:${machine}`;

/** Reconciles alerts with current problems, and queues each chat's messages. */
export async function watchAlerts({
  db,
  dataDir,
  now = () => new Date(),
  machine = hostname(),
  spaceOf = diskSpace,
}: AlertOptions): Promise<void> {
  const troubles = [...(await troublesOf(db)), ...ownDisk(machine, await spaceOf(dataDir))];
  // A process knows only its own machine's disk.
  const others = new Set(
    (await machinesAtWork(db)).filter((other) => other !== machine).map((other) => subjectOf(other)),
  );
  const isLeft = ({ kind, subject }: { kind: string; subject: string }) =>
    kind === KIND && others.has(subject);
  await withTransaction(db, async (trx) =>
    tellChats(trx, await reconcileAlerts(trx, troubles, isLeft), now()),
  );
}

async function diskSpace(dir: string): Promise<DiskSpace | null> {
  const stat = await statfs(dir).catch(() => null);
  if (!stat || stat.blocks === 0) return null;
  return {
    free: stat.bavail / stat.blocks,
    gigabytes: Math.floor((stat.bavail * stat.bsize) / 1024 ** 3),
  };
}

function ownDisk(machine: string, space: DiskSpace | null): Trouble[] {
  if (!space || space.free > 0.1) return [];
  return [
    {
      kind: KIND,
      subject: subjectOf(machine),
      severity: space.free < 0.03 ? 'critical' : 'warning',
      title: `The server ${machine} is running out of disk`,
      message: `The disk with DATA_DIR has ${space.gigabytes} GB free.`,
    },
  ];
}
