import { statfs } from 'node:fs/promises';
import { reconcileAlerts, tellChats } from '../../db/platform/alerts';
import { troublesOf, type Trouble } from '../../db/platform/alertTroubles';
import { withTransaction, type Db } from '../../db/core/client';

export interface AlertOptions {
  db: Db;
  /** The server's own disk, which may also hold the database. */
  dataDir: string;
  now?: () => Date;
}

/** Reconciles alerts with current problems, and queues each chat's messages. */
export async function watchAlerts({ db, dataDir, now = () => new Date() }: AlertOptions): Promise<void> {
  const troubles = [...(await troublesOf(db)), ...(await ownDisk(dataDir))];
  await withTransaction(db, async (trx) => tellChats(trx, await reconcileAlerts(trx, troubles), now()));
}

async function ownDisk(dataDir: string): Promise<Trouble[]> {
  const stat = await statfs(dataDir).catch(() => null);
  if (!stat || stat.blocks === 0) return [];
  const free = stat.bavail / stat.blocks;
  if (free > 0.1) return [];
  const gigabytes = Math.floor((stat.bavail * stat.bsize) / 1024 ** 3);
  return [
    {
      kind: 'server_disk_low',
      subject: 'server',
      severity: free < 0.03 ? 'critical' : 'warning',
      title: 'The server is running out of disk',
      message: `The disk with DATA_DIR has ${gigabytes} GB free.`,
    },
  ];
}
