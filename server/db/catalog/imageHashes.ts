import { sql } from 'kysely';
import { appendAudit } from '../audit/auditLog';
import type { Db } from '../core/client';
import { joinedCvm, selectCvms, type JoinedCvm } from '../cvms/cvmRows';
import { inShards } from '../hosts/hostShards';

/**
 * Returns running CVMs whose OS image has an unknown hash, on TEE hosts of these shards. Only images since 0.6
 * carry the measurements that tie their hash to a quote. A sample: one CVM is enough for the image on all
 * hosts.
 */
export async function cvmsOfUnknownImages(
  db: Db,
  shards: readonly number[],
  limit: number,
): Promise<JoinedCvm[]> {
  const { rows } = await sql<Record<string, unknown>>`
    ${selectCvms(
      'full',
      sql`select * from cvms where id in (
        select max(c.id) from cvms c
        join teepods t on t.id = c.teepod_id and t.kind = 'dstack_vmm' and t.reachable and ${inShards('t.id', shards)}
        join os_images i on i.name = c.os_image and i.os_image_hash is null
        where c.status = 'running' and c.deleted_at is null and c.host_vm_id is not null
          and i.version ~ '^(0\\.([6-9]|[1-9][0-9])|[1-9][0-9]*)\\.'
        group by c.os_image, c.teepod_id order by random() limit ${limit})`,
    )} order by cvm.id`.execute(db);
  return rows.map(joinedCvm);
}

/** Records the hash of an image that had none. Returns whether it did. */
export async function learnImageHash(
  db: Db,
  { name, os_image_hash, cvm }: { name: string; os_image_hash: string; cvm: string },
): Promise<boolean> {
  return db.transaction().execute(async (trx) => {
    const row = await trx
      .updateTable('os_images')
      .set({ os_image_hash, os_image_hash_source: 'evidence', updated_at: new Date() })
      .where('name', '=', name)
      .where('os_image_hash', 'is', null)
      .returning('id')
      .executeTakeFirst();
    if (!row) return false;
    await appendAudit(trx, [
      {
        actor_kind: 'system',
        action: 'os_image.learn_hash',
        target_kind: 'os_image',
        target_id: String(row.id),
        after: { name, os_image_hash, cvm },
      },
    ]);
    return true;
  });
}
