import { sql } from 'kysely';
import { uuidOfVmName } from '../../domain/cvms/vmName';
import type { NamedCvm } from '../../domain/hosts/duplicates';
import type { Db } from '../core/client';

/** VMs of one host whose names are looked up. */
const MAX_VMS = 5000;

/** Returns the CVMs, of any team and on any host, whose UUIDs are in the names of these VMs. */
export async function cvmsNamedBy(db: Db, vms: readonly { name: string }[]): Promise<NamedCvm[]> {
  const uuids = new Set(vms.slice(0, MAX_VMS).flatMap(({ name }) => uuidOfVmName(name) ?? []));
  if (uuids.size === 0) return [];
  const { rows } = await sql<NamedCvm>`
    select c.vm_uuid::text as vm_uuid, c.name, t.name as team_name, t.slug as team_slug, c.status, c.host_vm_id, p.name as teepod,
      coalesce((select json_agg(json_build_object('host_vm_id', g.host_vm_id, 'given_up_at', g.given_up_at))
        from given_up_vms g where g.cvm_id = c.id and g.taken_back_at is null), '[]') as given_up
    from cvms c join teams t on t.id = c.team_id join teepods p on p.id = c.teepod_id
    where c.vm_uuid = any(${[...uuids]}::uuid[])`.execute(db);
  return rows;
}
