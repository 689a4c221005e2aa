import type { Logger } from 'pino';
import { hasNoAccount } from '../db/accounts/users';
import type { Invoicing } from '../db/billing/issueInvoice';
import { withTransaction, type Db, type Tx } from '../db/core/client';
import type { DebtDays } from '../domain/billing/debt';
import { fillAi } from './fillAi';
import { fillApps, type Ground } from './fillApps';
import { fillMetrics } from './fillMetrics';
import { fillMoney } from './fillMoney';
import { fillOffers } from './fillOffers';
import { fillTeams, fillUsers, type FilledTeam } from './fillTeams';
import { demoId } from './random';

interface Filling {
  /** Migrated, with a registered local teepod, and without accounts. No worker may use it in the meantime. */
  db: Db;
  log: Logger;
  now: Date;
  invoicing: Invoicing;
  debtDays: DebtDays;
  /** Receives progress messages. */
  say(line: string): void;
}

const HOUR_MS = 3_600_000;

/** The banner is written last, so its presence means the demo is complete. */
const BANNER = demoId('ann', 'banner');

/**
 * Fills an empty installation with the demo.
 * @returns false if the demo already exists; then nothing changes
 * @throws if there are accounts: the installation is in use, or an interrupted demo
 */
export async function fillDemo({ db, log, now, say, ...terms }: Filling): Promise<boolean> {
  if (await isFilled(db)) return false;
  if (!(await hasNoAccount(db)))
    throw new Error('This database has accounts, so the demo is not written into it.');
  // Times are hours before this one.
  const at = new Date(Math.floor(now.getTime() / HOUR_MS) * HOUR_MS);
  say('three teams, twenty apps and what happened to them');
  const { teams, users } = await withTransaction(db, async (trx) => {
    const users = await fillUsers(trx, at);
    const filled = await fillTeams(trx, users, at);
    for (const one of filled) await fillApps(trx, await groundOf(trx, one, { now, at }), one.given);
    await fillAi(trx, filled, at);
    return { teams: filled, users };
  });
  await fillMoney({ db, log, at, teams, say, ...terms });
  await withTransaction(db, (trx) => fillOffers(trx, { teams, users, now }));
  say('thirty days of metrics');
  await fillMetrics(db, now);
  await announce(db, now);
  return true;
}

async function isFilled(db: Db): Promise<boolean> {
  const row = await db
    .selectFrom('announcements')
    .select('id')
    .where('public_id', '=', BANNER)
    .executeTakeFirst();
  return row !== undefined;
}

async function groundOf(
  trx: Tx,
  { team, deployers }: FilledTeam,
  times: Pick<Ground, 'now' | 'at'>,
): Promise<Ground> {
  const teepod = await trx
    .selectFrom('teepods')
    .selectAll()
    .where('kind', '=', 'local')
    .orderBy('id')
    .limit(1)
    .executeTakeFirst();
  if (!teepod) throw new Error('There is no local teepod for the CVMs of the demo.');
  const image = await trx
    .selectFrom('os_images as i')
    .leftJoin('teepod_os_images as t', (join) =>
      join.onRef('t.os_image_id', '=', 'i.id').on('t.teepod_id', '=', teepod.id),
    )
    .select('i.name')
    .orderBy('t.teepod_id')
    .orderBy('i.is_dev')
    .orderBy('i.id', 'desc')
    .limit(1)
    .executeTakeFirst();
  if (!image) throw new Error('The local teepod has no OS image.');
  const types = await trx.selectFrom('instance_types').selectAll().execute();
  return {
    team,
    deployers,
    teepod,
    os_image: image.name,
    types: new Map(types.map((type) => [type.id, type])),
    ...times,
  };
}

/** A banner on every page. */
async function announce(db: Db, now: Date): Promise<void> {
  await db
    .insertInto('announcements')
    .values({
      public_id: BANNER,
      title: 'This is a demo',
      text: 'Users, teams, usage, payments and invoices are made up. CVMs are simulated: nothing runs in a TEE here.',
      severity: 'warning',
      dismissible: false,
      published_at: now,
      told_state: 'live',
    })
    .execute();
}
