import { sql } from 'kysely';
import type { ChainContract } from '../../../domain/kms/chainContract';
import type { Db } from '../../core/client';

/** A transfer to a team that a network may still have although reading it found nothing. */
export interface Lookup {
  team_id: number;
  /** The team's address, in lower case. */
  address: string;
  block_number: number;
  /** Null for transfers that an RPC didn't return. */
  deposit_id: number | null;
}

/** How long an undone deposit is looked up. */
const UNDONE_DAYS = 90;
/** Interval of those lookups, and of retries for transfers that an RPC didn't return. */
const AGAIN_MINUTES = 60;
/** Interval of lookups for a deposit that a second RPC must still confirm. */
const PENDING_MINUTES = 1;

/**
 * Returns the deposits to look up in blocks that aren't reread: those waiting for an RPC's confirmation,
 * credited ones that can't be found, and undone ones. Up to `limit` that all RPCs once knew, then up to as many
 * shown by one alone, which may be made up. Each group least recently checked first.
 */
export async function depositLookups(
  db: Db,
  { chain_id, address }: ChainContract,
  { before, limit }: { before: number; limit: number },
): Promise<Lookup[]> {
  const due = (isAgreed: boolean) => sql`(
    select d.team_id, a.address, d.block_number, d.id as deposit_id
    from usdc_deposits d join usdc_addresses a using (team_id)
    where d.chain_id = ${chain_id} and d.token = ${address} and d.block_number < ${before}
      and (d.agreed_at is not null) = ${isAgreed}
      and (d.state in ('pending', 'dropped', 'reversed') or d.missing_reads > 0)
      and case d.state
        when 'credited' then true
        when 'pending' then d.looked_at is null
          or d.looked_at < now() - make_interval(mins => ${PENDING_MINUTES})
        else d.looked_at is null
          or d.looked_at < now() - make_interval(mins => ${AGAIN_MINUTES})
          and d.updated_at > now() - make_interval(days => ${UNDONE_DAYS}) end
    order by coalesce(d.looked_at, d.created_at), d.id limit ${limit})`;
  const { rows } = await sql<Lookup>`${due(true)} union all ${due(false)}`.execute(db);
  return rows;
}

/** Returns the transfers that an RPC didn't return, least recently checked first. */
export async function gapLookups(
  db: Db,
  { chain_id, address }: ChainContract,
  limit: number,
): Promise<Lookup[]> {
  const { rows } = await sql<Lookup>`
    select g.team_id, a.address, g.block_number, null as deposit_id
    from usdc_gaps g join usdc_addresses a using (team_id)
    where g.chain_id = ${chain_id} and g.token = ${address}
      and g.looked_at < now() - make_interval(mins => ${AGAIN_MINUTES})
    order by g.looked_at limit ${limit}`.execute(db);
  return rows;
}

/** Records a lookup, whatever its result. */
export const recordLookup = (db: Db, token: ChainContract, { deposit_id, ...gap }: Lookup) =>
  deposit_id === null
    ? recordGap(db, token, gap)
    : db.updateTable('usdc_deposits').set({ looked_at: new Date() }).where('id', '=', deposit_id).execute();

/** Records that an RPC didn't return a team's transfers of a block. */
export const recordGap = (
  db: Db,
  { chain_id, address }: ChainContract,
  { team_id, block_number }: Pick<Lookup, 'team_id' | 'block_number'>,
) =>
  db
    .insertInto('usdc_gaps')
    .values({ chain_id, token: address, team_id, block_number })
    .onConflict((conflict) =>
      conflict
        .columns(['chain_id', 'token', 'block_number', 'team_id'])
        .doUpdateSet({ looked_at: new Date() }),
    )
    .execute();

export const closeGap = (
  db: Db,
  { chain_id, address }: ChainContract,
  { team_id, block_number }: { team_id: number; block_number: number },
) =>
  db
    .deleteFrom('usdc_gaps')
    .where('chain_id', '=', chain_id)
    .where('token', '=', address)
    .where('team_id', '=', team_id)
    .where('block_number', '=', block_number)
    .execute();
