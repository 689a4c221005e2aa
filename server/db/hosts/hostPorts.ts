import { sql, type Kysely } from 'kysely';
import { portName, type PortMapping, type TakenPort } from '../../domain/hosts/attachments';
import type { Tx } from '../core/client';
import type { Database } from '../core/schema';

/**
 * Returns which of these ports are already mapped on hosts. `reserve` checks again with its ports locked, so
 * that no two CVMs get the same one. CVMs in the recycle bin keep theirs, because their VMs are still on the
 * host. Teepods of one node share its ports.
 */
export async function takenPorts(
  db: Kysely<Database>,
  teepod_ids: readonly number[],
  ports: readonly PortMapping[],
  /** The deployment that the caller replaces. */
  except: { team_id: number; name: string } | null = null,
): Promise<TakenPort[]> {
  if (ports.length === 0 || teepod_ids.length === 0) return [];
  const { rows } = await sql<TakenPort>`
    select distinct t.id as teepod_id, x.protocol, x.host_port
    from teepods t
    join teepods o on o.node_id = t.node_id
    join reservations r on r.teepod_id = o.id
    left join cvms c on c.id = r.cvm_id
    left join provisions p on p.id = r.provision_id
    cross join lateral jsonb_to_recordset(coalesce(c.ports, p.ports)) as x(protocol text, host_port int)
    where t.id = any(${[...teepod_ids]}::bigint[]) and (r.expires_at is null or r.expires_at > now())
      and x.host_port || '/' || x.protocol = any(${ports.map(portName)}::text[])
      and not (p.id is not null and p.team_id = ${except?.team_id ?? null}::bigint and p.name = ${except?.name ?? null}::text) is true
    order by 1, 3 limit 10000`.execute(db);
  return rows;
}

/** Returns how many host ports are held by the team's uncommitted deployments, which cost nothing. */
export async function portsOnHold(trx: Tx, team_id: number): Promise<number> {
  const { rows } = await sql<{ ports: number }>`
    select coalesce(sum(jsonb_array_length(p.ports)), 0)::int as ports
    from reservations r join provisions p on p.id = r.provision_id
    where p.team_id = ${team_id} and p.committed_at is null and r.expires_at > now()`.execute(trx);
  return rows[0]?.ports ?? 0;
}

/**
 * Keeps others from taking ports of this teepod's node until the transaction ends. Taken after the teepod's
 * row.
 */
export async function lockPorts(trx: Tx, teepod_id: number): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtext('host_ports'), node_id::int) from teepods where id = ${teepod_id}`.execute(
    trx,
  );
}
