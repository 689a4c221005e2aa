import { sql } from 'kysely';
import { appendAudit } from '../audit/auditLog';
import { isConfirmed } from './confirmedImages';
import type { Db } from '../core/client';
import { joinedCvm, selectCvms, type JoinedCvm } from '../cvms/cvmRows';
import { inShards } from '../hosts/hostShards';

/**
 * Returns running CVMs whose OS image has no hash, or one that only hosts reported, on TEE hosts of these
 * shards. Only images since 0.6 carry the measurements that tie their hash to a quote. A sample: one CVM is
 * enough for the image on all hosts.
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
        join os_images i on i.name = c.os_image and not ${isConfirmed('i')}
        where c.status = 'running' and c.deleted_at is null and c.host_vm_id is not null
          and i.version ~ '^(0\\.([6-9]|[1-9][0-9])|[1-9][0-9]*)\\.'
        group by c.os_image, c.teepod_id order by random() limit ${limit})`,
    )} order by cvm.id`.execute(db);
  return rows.map(joinedCvm);
}

/** Records the hash of an image that had none, or one that only hosts reported. Returns whether it did. */
export async function learnImageHash(
  db: Db,
  { name, os_image_hash, cvm }: { name: string; os_image_hash: string; cvm: string },
): Promise<boolean> {
  return db.transaction().execute(async (trx) => {
    const before = await trx
      .selectFrom('os_images')
      .select(['id', 'os_image_hash'])
      .where('name', '=', name)
      .where(sql<boolean>`not ${isConfirmed('os_images')}`)
      .forNoKeyUpdate()
      .executeTakeFirst();
    if (!before) return false;
    await trx
      .updateTable('os_images')
      .set({ os_image_hash, os_image_hash_source: 'evidence', updated_at: new Date() })
      .where('id', '=', before.id)
      .execute();
    await appendAudit(trx, [
      {
        actor_kind: 'system',
        action: 'os_image.learn_hash',
        target_kind: 'os_image',
        target_id: String(before.id),
        ...(before.os_image_hash === null ? {} : { before: { os_image_hash: before.os_image_hash } }),
        after: { name, os_image_hash, cvm },
      },
    ]);
    return true;
  });
}
