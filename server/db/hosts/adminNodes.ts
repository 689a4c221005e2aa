import { sql, type RawBuilder } from 'kysely';
import type { AdminNode } from '../../../generated/api/types.gen';
import type { AdminFieldKind, AdminListSource } from '../core/adminList';
import type { Db, Tx } from '../core/client';
import { cvmSlots } from './cvmSlots';
import type { NodeRow } from './nodesTable';

export interface AdminNodeRow extends NodeRow {
  teepod_count: number;
  used_cvms: number;
  max_cvms: number;
  used_vcpu: number;
  max_vcpu: number;
  used_memory_mb: number;
  max_memory_mb: number;
}

/** A sum capped to the API's integer range, because administrators' limits may be of any size. */
const total = (value: RawBuilder<unknown>) => sql`least(coalesce(sum(${value}), 0), 2147483647)::int`;

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
    used_cvms: 'integer',
    max_cvms: 'integer',
    used_vcpu: 'integer',
    max_vcpu: 'integer',
    used_memory_mb: 'integer',
    max_memory_mb: 'integer',
    created_at: 'time',
    updated_at: 'time',
  } satisfies Record<keyof AdminNode, AdminFieldKind>,
  searched: ['name', 'region', 'fmspc', 'device_id', 'ppid', 'notes'],
  // Held capacity counts as used, as for a teepod.
  select: sql<AdminNodeRow>`
    select n.*, coalesce(sums.teepod_count, 0) as teepod_count,
           coalesce(sums.used_cvms, 0) as used_cvms, coalesce(sums.max_cvms, 0) as max_cvms,
           coalesce(sums.used_vcpu, 0) as used_vcpu, coalesce(sums.max_vcpu, 0) as max_vcpu,
           coalesce(sums.used_memory_mb, 0) as used_memory_mb, coalesce(sums.max_memory_mb, 0) as max_memory_mb
    from nodes n
    left join (
      select t.node_id, count(*)::int as teepod_count, ${total(cvmSlots)} as max_cvms,
             ${total(sql`t.max_vcpu`)} as max_vcpu, ${total(sql`t.max_memory_mb`)} as max_memory_mb,
             ${total(sql`u.cvms`)} as used_cvms, ${total(sql`u.vcpu`)} as used_vcpu,
             ${total(sql`u.memory_mb`)} as used_memory_mb
      from teepods t
      left join (
        select teepod_id, count(*) as cvms, sum(vcpu) as vcpu, sum(memory_mb) as memory_mb
        from reservations where expires_at is null or expires_at > now() group by teepod_id
      ) u on u.teepod_id = t.id
      group by t.node_id
    ) sums on sums.node_id = n.id`,
};

export const lockNode = (trx: Tx, id: number) =>
  trx.selectFrom('nodes').selectAll().where('id', '=', id).forUpdate().executeTakeFirst();

/** Returns the names of a node's teepods, and how many there are beyond the first `most`. */
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

/** Whether the node is the built-in teepod's, which registers itself there by name at every start. */
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
