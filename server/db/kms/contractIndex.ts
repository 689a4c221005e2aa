import { sql } from 'kysely';
import { cutWhole } from '../../../console/lib/texts/cutWhole';
import type { BlockMark, ContractEvent, ContractEventKind } from '../../domain/kms/contractEvents';
import { withTransaction, type Db } from '../core/client';
import type { ContractEventRow, ContractIndexRow } from './contractIndexTables';

/** Adds the KMS contracts and apps that aren't indexed yet, and forgets those no longer known here. */
export async function syncContractIndexes(db: Db): Promise<void> {
  const known = sql`
    select chain_id, address from kms_contracts where state <> 'retired'
    union select k.chain_id, '0x' || a.app_id from apps a join kms k on k.id = a.kms_id
    where k.chain_id is not null and a.archived_at is null`;
  await sql`insert into contract_indexes (chain_id, address) ${known} on conflict do nothing`.execute(db);
  await sql`delete from contract_indexes i where not exists (
    select 1 from (${known}) n where n.chain_id = i.chain_id and n.address = i.address)`.execute(db);
}

/** Claims contracts not read for some seconds, least recently read first. Other processes claim others. */
export async function takeDueIndexes(
  db: Db,
  due: { seconds: number; limit: number },
): Promise<ContractIndexRow[]> {
  const { rows } = await sql<ContractIndexRow>`
    update contract_indexes set attempted_at = now() where id in (
      select id from contract_indexes
      where attempted_at is null or attempted_at < now() - make_interval(secs => ${due.seconds})
      order by attempted_at nulls first limit ${due.limit} for update skip locked
    ) returning *`.execute(db);
  return rows;
}

/** Claims one contract whose events were read before, unless it was just tried. */
export async function takeForCatchUp(
  db: Db,
  contract: { chain_id: number; address: string; seconds: number },
): Promise<ContractIndexRow | undefined> {
  const { rows } = await sql<ContractIndexRow>`
    update contract_indexes set attempted_at = now()
    where chain_id = ${contract.chain_id} and address = ${contract.address}
      and indexed_block is not null and full_at_block is null
      and (attempted_at is null or attempted_at < now() - make_interval(secs => ${contract.seconds}))
    returning *`.execute(db);
  return rows[0];
}

/**
 * Returns the contracts whose events are up to date, by chain, so that only their next event matters.
 * `addresses` is null for a chain with more than `max`.
 */
export async function followedContracts(
  db: Db,
  max: number,
): Promise<{ chain_id: number; addresses: string[] | null }[]> {
  const { rows } = await sql<{ chain_id: number; addresses: string[] | null }>`
    select chain_id, case when count(*) <= ${max} then array_agg(address order by address) end as addresses
    from contract_indexes where indexed_block is not null and full_at_block is null
    group by chain_id order by chain_id`.execute(db);
  return rows;
}

/** Returns whether an event of a contract in this block is known; undefined if the contract isn't followed. */
export async function eventIn(
  db: Db,
  contract: { chain_id: number; address: string },
  block: BlockMark,
): Promise<{ known: boolean; last_error: string | null } | undefined> {
  const { rows } = await sql<{ known: boolean; last_error: string | null }>`
    select i.last_error, exists (select 1 from contract_events e where e.contract_id = i.id
      and e.block_number = ${block.number} and e.block_hash = ${block.hash}) as known
    from contract_indexes i where i.chain_id = ${contract.chain_id} and i.address = ${contract.address}
      and i.indexed_block is not null and i.full_at_block is null`.execute(db);
  return rows[0];
}

export const recordStart = (db: Db, id: number, start: { block: number; exact: boolean }): Promise<unknown> =>
  db
    .updateTable('contract_indexes')
    .set({ start_block: start.block, start_exact: start.exact })
    .where('id', '=', id)
    .execute();

export const recordIndexError = (db: Db, id: number, message: string): Promise<unknown> =>
  db
    .updateTable('contract_indexes')
    .set({ last_error: cutWhole(message, 2000) })
    .where('id', '=', id)
    .execute();

type Position = Pick<ContractIndexRow, 'id' | 'indexed_block'>;

/**
 * Stores the events up to a block and moves the position there. Returns false without a change if another
 * process has moved it.
 */
export function appendEvents(
  db: Db,
  { id, indexed_block }: Position,
  { events, to, latest }: { events: readonly ContractEvent[]; to: BlockMark | null; latest: number },
  max_events: number,
): Promise<boolean> {
  return withTransaction(db, async (trx) => {
    const now = await trx
      .selectFrom('contract_indexes')
      .select('indexed_block')
      .where('id', '=', id)
      .forUpdate()
      .executeTakeFirst();
    if (!now || now.indexed_block !== indexed_block) return false;
    const { n } = await trx
      .selectFrom('contract_events')
      .select((eb) => eb.fn.countAll<number>().as('n'))
      .where('contract_id', '=', id)
      .executeTakeFirstOrThrow();
    const kept = events.slice(0, Math.max(0, max_events - n));
    for (let i = 0; i < kept.length; i += 500)
      await trx
        .insertInto('contract_events')
        .values(kept.slice(i, i + 500).map((event) => ({ contract_id: id, ...event })))
        .onConflict((conflict) => conflict.doNothing())
        .execute();
    const overflow = events[kept.length];
    await trx
      .updateTable('contract_indexes')
      .set({
        latest_block: latest,
        indexed_at: new Date(),
        last_error: null,
        ...(to === null ? {} : { indexed_block: to.number, indexed_hash: to.hash }),
        ...(overflow ? { full_at_block: overflow.block_number } : {}),
      })
      .where('id', '=', id)
      .execute();
    // Administrators' view of a KMS contract may have changed, so it is due for a read.
    if (kept.length > 0)
      await sql`update kms_contracts k set attempted_at = null from contract_indexes i
        where i.id = ${id} and k.chain_id = i.chain_id and k.address = i.address`.execute(trx);
    return true;
  });
}

/** Returns the block that must still be on the chain: the last one read, or after a rewind the last event's. */
export async function expectedBlock(db: Db, { id, indexed_block, indexed_hash }: ContractIndexRow) {
  if (indexed_block !== null && indexed_hash !== null) return { number: indexed_block, hash: indexed_hash };
  const last = await db
    .selectFrom('contract_events')
    .select(['block_number', 'block_hash'])
    .where('contract_id', '=', id)
    .orderBy('block_number', 'desc')
    .limit(1)
    .executeTakeFirst();
  return last ? { number: last.block_number, hash: last.block_hash } : null;
}

/** Undoes everything after a block, because the chain below it changed. */
export function rewindIndex(db: Db, id: number, to: number): Promise<void> {
  return withTransaction(db, async (trx) => {
    await trx
      .deleteFrom('contract_events')
      .where('contract_id', '=', id)
      .where('block_number', '>', to)
      .execute();
    await trx
      .updateTable('contract_indexes')
      .set({ indexed_block: to, indexed_hash: null, full_at_block: null })
      .where('id', '=', id)
      .execute();
  });
}

/** Forgets everything read from a contract, which is then read again from its first block. */
export function resetIndex(db: Db, id: number): Promise<void> {
  return withTransaction(db, async (trx) => {
    await trx.deleteFrom('contract_events').where('contract_id', '=', id).execute();
    await trx
      .updateTable('contract_indexes')
      .set({ start_block: null, indexed_block: null, indexed_hash: null, full_at_block: null })
      .where('id', '=', id)
      .execute();
  });
}

export const findIndex = (db: Db, chain_id: number, address: string): Promise<ContractIndexRow | undefined> =>
  db
    .selectFrom('contract_indexes')
    .selectAll()
    .where('chain_id', '=', chain_id)
    .where('address', '=', address.toLowerCase())
    .executeTakeFirst();

/** Returns a contract's newest events. */
export const newestEvents = (db: Db, id: number, limit: number): Promise<ContractEventRow[]> =>
  db
    .selectFrom('contract_events')
    .selectAll()
    .where('contract_id', '=', id)
    .orderBy('block_number', 'desc')
    .orderBy('log_index', 'desc')
    .limit(limit)
    .execute();

/** Returns the newest event of each value that was ever added, newest first. */
export async function addedValues(
  db: Db,
  id: number,
  kind: ContractEventKind,
  limit: number,
): Promise<ContractEventRow[]> {
  const { rows } = await sql<ContractEventRow>`
    select * from (
      select distinct on (value) * from contract_events where contract_id = ${id} and kind = ${kind}
      order by value, block_number desc, log_index desc) e
    order by block_number desc, log_index desc limit ${limit}`.execute(db);
  return rows;
}
