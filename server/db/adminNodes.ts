import { sql } from 'kysely';
import type { AdminNode } from '../../generated/api/types.gen';
import type { AdminFieldKind, AdminListSource } from './adminList';
import type { Db, Tx } from './client';
import type { NodeRow } from './schema';

export interface AdminNodeRow extends NodeRow {
  teepod_count: number;
}

export const adminNodes: AdminListSource<AdminNodeRow> = {
  fields: {
    id: 'integer',
    name: 'text',
    region: 'text',
    state: 'text',
    fmspc: 'text',
    device_id: 'text',
    ppid: 'text',
    notes: 'text',
    teepod_count: 'integer',
    created_at: 'time',
    updated_at: 'time',
  } satisfies Record<keyof AdminNode, AdminFieldKind>,
  searched: ['name', 'region', 'fmspc', 'device_id', 'ppid', 'notes'],
  select: sql<AdminNodeRow>`select n.*, coalesce(t.teepod_count, 0) as teepod_count from nodes n
    left join (select node_id, count(*)::int as teepod_count from teepods group by node_id) t on t.node_id = n.id`,
};

export const lockNode = (trx: Tx, id: number) =>
  trx.selectFrom('nodes').selectAll().where('id', '=', id).forUpdate().executeTakeFirst();

/** Names of the teepods on a node, and how many there are beyond the first `most`. */
export async function teepodsOfNode(
  db: Db,
  node_id: number,
  most = 5,
): Promise<{ names: string[]; total: number }> {
  const { rows } = await sql<{ name: string; total: number }>`
    select name, count(*) over ()::int as total from teepods where node_id = ${node_id} order by name limit ${most}`.execute(
    db,
  );
  return { names: rows.map((row) => row.name), total: rows[0]?.total ?? 0 };
}

/** The built-in teepod registers itself on its node by name at every start. */
export async function carriesLocalTeepod(db: Db, node_id: number): Promise<boolean> {
  const row = await db
    .selectFrom('teepods')
    .select('id')
    .where('node_id', '=', node_id)
    .where('kind', '=', 'local')
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}
