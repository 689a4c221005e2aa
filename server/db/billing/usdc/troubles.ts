import { sql } from 'kysely';
import { networkName } from '../../../../console/lib/kms/chains';
import type { Db } from '../../core/client';
import type { Trouble } from '../../platform/alertTroubles';

/** Shorter interruptions need no attention: an RPC restarts, or a block arrives late. */
const PATIENCE = sql`interval '10 minutes'`;
/** How long transfers that an RPC doesn't return may stay unknown. */
const GAP_PATIENCE = sql`interval '1 day'`;
/**
 * A network that is no longer read was removed from the configuration, or no worker runs, which has its own
 * alert.
 */
const IN_USE = sql`n.tried_at > now() - interval '1 hour'`;

const time = (at: Date) => `${at.toISOString().slice(0, 16).replace('T', ' ')} UTC`;

interface Row {
  chain_id: number;
  since: Date;
  is_old: boolean;
}

/** Returns the networks on which deposits may be missing. */
export async function usdcTroubles(db: Db): Promise<Trouble[]> {
  const found = await Promise.all([behind(db), unread(db), gaps(db)]);
  return found.flat();
}

const trouble = ({ chain_id, since, is_old }: Row, subject: string, message: string): Trouble => ({
  kind: 'usdc_not_current',
  subject: `${subject}:${chain_id}`,
  severity: is_old ? 'critical' : 'warning',
  title: `USDC deposits on ${networkName(chain_id)} haven’t been current since ${time(since)}`,
  message,
});

async function behind(db: Db): Promise<Trouble[]> {
  const { rows } = await sql<Row & { error: string }>`
    select n.chain_id, n.read_at as since, n.error, n.read_at < now() - ${GAP_PATIENCE} as is_old
    from usdc_networks n where n.error is not null and n.read_at < now() - ${PATIENCE} and ${IN_USE}
    order by n.chain_id limit 20`.execute(db);
  return rows.map((row) => trouble(row, 'usdc', `The newest blocks can’t be read. ${row.error}`));
}

async function unread(db: Db): Promise<Trouble[]> {
  const { rows } = await sql<Row & { readers: number; blocks: number; first: number; last: number }>`
    select n.chain_id, u.readers, min(u.since) as since, min(u.since) < now() - ${GAP_PATIENCE} as is_old,
      sum(u.to_block - u.from_block + 1) as blocks, min(u.from_block) as first, max(u.to_block) as last
    from usdc_unread u join usdc_networks n using (chain_id, token)
    where u.since < now() - ${PATIENCE} and ${IN_USE}
    group by n.chain_id, u.readers order by n.chain_id, u.readers limit 40`.execute(db);
  return rows.map((row) => {
    const which = `${Number(row.blocks)} blocks from ${Number(row.first)} to ${Number(row.last)}`;
    return row.readers === 0
      ? trouble(row, 'usdc_unread', `No RPC returned ${which}. Add one that keeps the whole history.`)
      : trouble(
          row,
          'usdc_one_rpc',
          `Only one of two RPCs returned ${which}, so deposits there are not added. Check the other RPC, or add one that keeps the whole history.`,
        );
  });
}

async function gaps(db: Db): Promise<Trouble[]> {
  const { rows } = await sql<Row & { teams: number; blocks: number }>`
    select n.chain_id, min(g.found_at) as since, true as is_old,
      count(distinct g.team_id)::int as teams, count(distinct g.block_number)::int as blocks
    from usdc_gaps g join usdc_networks n using (chain_id, token)
    where g.found_at < now() - ${GAP_PATIENCE} and ${IN_USE}
    group by n.chain_id order by n.chain_id limit 20`.execute(db);
  return rows.map((row) =>
    trouble(
      row,
      'usdc_gaps',
      `No RPC returns all transfers to ${row.teams === 1 ? 'one team' : `${row.teams} teams`} in ${row.blocks === 1 ? 'one block' : `${row.blocks} blocks`}: there are too many. Add an RPC with higher limits.`,
    ),
  );
}
