import { sql, type Kysely } from 'kysely';
import { portName, type PortMapping, type TakenPort } from '../../domain/hosts/attachments';
import type { Database } from '../core/schema';

/**
 * Returns which of these ports a host has mapped already, for hosts that have. `reserve` asks again with the teepod's row
 * locked, so that no two CVMs get the same one. CVMs in the recycle bin keep theirs: their VMs are still on the host.
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
    select distinct r.teepod_id, x.protocol, x.host_port
    from reservations r
    left join cvms c on c.id = r.cvm_id
    left join provisions p on p.id = r.provision_id
    cross join lateral jsonb_to_recordset(coalesce(c.ports, p.ports)) as x(protocol text, host_port int)
    where r.teepod_id = any(${[...teepod_ids]}::bigint[]) and (r.expires_at is null or r.expires_at > now())
      and x.host_port || '/' || x.protocol = any(${ports.map(portName)}::text[])
      and not (p.id is not null and p.team_id = ${except?.team_id ?? null}::bigint and p.name = ${except?.name ?? null}::text) is true
    order by 1, 3 limit 10000`.execute(db);
  return rows;
}
