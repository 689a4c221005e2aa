import { sql } from 'kysely';
import { findCvmIds } from './cvmLookup';
import type { Db, Tx } from '../core/client';
import type { CvmRow } from './cvmsTable';
import type { TeepodRow } from '../hosts/teepodsTable';

/** A CVM whose host may know its instance ID, with the facts needed for a host request. */
export type InstanceIdTarget = Pick<
  CvmRow,
  'id' | 'public_id' | 'name' | 'vm_uuid' | 'host_vm_id' | 'instance_id'
> & {
  teepod: Pick<TeepodRow, 'id' | 'name' | 'url' | 'kind' | 'credential_kind' | 'sealed_credential'>;
};

interface Which {
  /** In any form clients send; absent: all. */
  cvm_ids: readonly string[] | undefined;
  running_only: boolean;
  missing_only: boolean;
  limit: number;
}

export async function instanceIdTargets(
  db: Db,
  team_id: number,
  { cvm_ids, running_only, missing_only, limit }: Which,
): Promise<{ total: number; rows: InstanceIdTarget[] }> {
  const ids = cvm_ids && (await Promise.all(cvm_ids.map((id) => findCvmIds(db, team_id, id)))).flat();
  const where = sql`cvms.team_id = ${team_id} and cvms.deleted_at is null
    ${ids ? sql`and cvms.id = any(${ids}::bigint[])` : sql``}
    ${running_only ? sql`and cvms.status = 'running'` : sql``}
    ${missing_only ? sql`and cvms.instance_id is null` : sql``}`;
  const [found, count] = await Promise.all([
    sql<InstanceIdTarget>`
      select cvms.id, cvms.public_id, cvms.name, cvms.vm_uuid, cvms.host_vm_id, cvms.instance_id, (
          select to_jsonb(one) from (
            select t.id, t.name, t.url, t.kind, t.credential_kind, t.sealed_credential from teepods t where t.id = cvms.teepod_id
          ) one
        ) as teepod
      from cvms where ${where} order by cvms.id limit ${limit}`.execute(db),
    sql<{ total: number }>`select count(*)::int as total from cvms where ${where}`.execute(db),
  ]);
  return { total: count.rows[0]?.total ?? 0, rows: found.rows };
}

export async function setInstanceId(trx: Tx, id: number, instance_id: string | null): Promise<void> {
  await trx.updateTable('cvms').set({ instance_id, updated_at: new Date() }).where('id', '=', id).execute();
}
