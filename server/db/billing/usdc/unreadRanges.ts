import { sql } from 'kysely';
import type { ChainContract } from '../../../domain/kms/chainContract';
import { withTransaction, type Db, type Tx } from '../../core/client';
import type { UsdcUnreadRow } from './depositsTables';

interface Range {
  from: number;
  to: number;
}

/** Ranges skipped in one run. */
const MAX_AROUND = 1_000;

const rowsOf = (db: Db | Tx, { chain_id, address }: ChainContract) =>
  db.selectFrom('usdc_unread').selectAll().where('chain_id', '=', chain_id).where('token', '=', address);

/** Returns the ranges that no RPC returned, from a block on, in order. */
export const unreadableFrom = (db: Db, token: ChainContract, from: number): Promise<UsdcUnreadRow[]> =>
  rowsOf(db, token)
    .where('readers', '=', 0)
    .where('to_block', '>=', from)
    .orderBy('from_block')
    .limit(MAX_AROUND)
    .execute();

/** Returns the least recently tried range that was not tried since a time. */
export const nextUnread = (db: Db, token: ChainContract, since: Date): Promise<UsdcUnreadRow | undefined> =>
  rowsOf(db, token)
    .where((eb) => eb.or([eb('tried_at', 'is', null), eb('tried_at', '<', since)]))
    .orderBy('tried_at', (order) => order.asc().nullsFirst())
    .orderBy('id')
    .limit(1)
    .executeTakeFirst();

/** Records a range that too few RPCs returned, merged with the preceding one if they match. */
export const addUnread = (
  db: Db,
  token: ChainContract,
  { from, to, readers, error }: Range & Pick<UsdcUnreadRow, 'readers' | 'error'>,
) =>
  inOrder(db, token, async (trx) => {
    const cut = await cutOut(trx, token, { from, to });
    const times = cut.map(({ since }) => since.getTime());
    const since = new Date(Math.min(Date.now(), ...times));
    const before = await rowsOf(trx, token)
      .where('to_block', '=', from - 1)
      .where('readers', '=', readers)
      .executeTakeFirst();
    if (before) {
      const earlier = new Date(Math.min(since.getTime(), before.since.getTime()));
      const change = { to_block: to, error, since: earlier };
      await trx.updateTable('usdc_unread').set(change).where('id', '=', before.id).execute();
    } else {
      const place = { chain_id: token.chain_id, token: token.address, from_block: from, to_block: to };
      await trx
        .insertInto('usdc_unread')
        .values({ ...place, readers, error, since })
        .execute();
    }
  });

/** Forgets a range that enough RPCs returned. */
export const clearUnread = (db: Db, token: ChainContract, range: Range) =>
  inOrder(db, token, (trx) => cutOut(trx, token, range));

export const recordUnreadTry = (db: Db, { id }: UsdcUnreadRow) =>
  db.updateTable('usdc_unread').set({ tried_at: new Date() }).where('id', '=', id).execute();

/** Halves the range around a block unless its token has too many, to find its readable part. */
export const halveUnread = (db: Db, token: ChainContract, { block, most }: { block: number; most: number }) =>
  inOrder(db, token, async (trx) => {
    const row = await rowsOf(trx, token)
      .where('from_block', '<=', block)
      .where('to_block', '>=', block)
      .executeTakeFirst();
    const { rows } = await sql<{ ranges: number }>`
      select count(*)::int as ranges from usdc_unread
      where chain_id = ${token.chain_id} and token = ${token.address}`.execute(trx);
    if (!row || row.from_block === row.to_block || (rows[0]?.ranges ?? 0) >= most) return;
    const middle = Math.floor((row.from_block + row.to_block) / 2);
    const { id, ...rest } = row;
    await trx.updateTable('usdc_unread').set({ to_block: middle }).where('id', '=', id).execute();
    await trx
      .insertInto('usdc_unread')
      .values({ ...rest, from_block: middle + 1 })
      .execute();
  });

/** One at a time per token, so that ranges never overlap. */
const inOrder = <T>(
  db: Db,
  { chain_id, address }: ChainContract,
  work: (trx: Tx) => Promise<T>,
): Promise<T> =>
  withTransaction(db, async (trx) => {
    await trx
      .selectFrom('usdc_networks')
      .select('chain_id')
      .where('chain_id', '=', chain_id)
      .where('token', '=', address)
      .forUpdate()
      .execute();
    return work(trx);
  });

/** Removes a range and keeps the surrounding parts. @returns the rows that it overlapped */
async function cutOut(trx: Tx, token: ChainContract, { from, to }: Range): Promise<UsdcUnreadRow[]> {
  const cut = await trx
    .deleteFrom('usdc_unread')
    .where('chain_id', '=', token.chain_id)
    .where('token', '=', token.address)
    .where('from_block', '<=', to)
    .where('to_block', '>=', from)
    .returningAll()
    .execute();
  const kept = cut.flatMap(({ id: _id, ...row }) => [
    ...(row.from_block < from ? [{ ...row, to_block: from - 1 }] : []),
    ...(row.to_block > to ? [{ ...row, from_block: to + 1 }] : []),
  ]);
  if (kept.length > 0) await trx.insertInto('usdc_unread').values(kept).execute();
  return cut;
}

/** Returns, per token, since when deposits to a team may be missing because of unreadable blocks. */
export const unreadSince = (
  db: Db,
  team_id: number,
): Promise<{ chain_id: number; token: string; since: Date }[]> =>
  db
    .selectFrom((eb) =>
      eb
        .selectFrom('usdc_unread')
        .select(['chain_id', 'token', 'since'])
        .unionAll(
          eb
            .selectFrom('usdc_gaps')
            .select(['chain_id', 'token', 'found_at as since'])
            .where('team_id', '=', team_id),
        )
        .as('unread'),
    )
    .select((eb) => ['chain_id', 'token', eb.fn.min('since').as('since')])
    .groupBy(['chain_id', 'token'])
    .execute();
