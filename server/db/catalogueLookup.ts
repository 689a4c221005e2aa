import type { Kysely } from 'kysely';
import type { Database, InstanceTypeRow, KmsRow, OsImageRow } from './schema';

export function activeInstanceTypes(db: Kysely<Database>): Promise<InstanceTypeRow[]> {
  return db
    .selectFrom('instance_types')
    .selectAll()
    .where('state', '=', 'active')
    .orderBy('sort_order')
    .orderBy('id')
    .limit(500)
    .execute();
}

/** Which images each of these teepods has. */
export function imagesOf(
  db: Kysely<Database>,
  teepod_ids: number[],
): Promise<(OsImageRow & { teepod_id: number })[]> {
  if (teepod_ids.length === 0) return Promise.resolve([]);
  return db
    .selectFrom('teepod_os_images')
    .innerJoin('os_images', 'os_images.id', 'teepod_os_images.os_image_id')
    .selectAll('os_images')
    .select('teepod_os_images.teepod_id')
    .where('teepod_os_images.teepod_id', 'in', teepod_ids)
    .limit(5000)
    .execute();
}

/** By public id, slug or type name, as clients name a KMS. */
export function findKms(db: Kysely<Database>, name: string): Promise<KmsRow | undefined> {
  const lower = name.toLowerCase();
  return db
    .selectFrom('kms')
    .selectAll()
    .where((eb) =>
      eb.or([eb('public_id', '=', name), eb('slug', '=', lower), eb('type', '=', lower as KmsRow['type'])]),
    )
    .where('state', '<>', 'retired')
    .orderBy('id')
    .executeTakeFirst();
}
