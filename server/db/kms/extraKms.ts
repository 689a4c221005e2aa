import type { Db } from '../core/client';

/** Returns the URL of a CVM's KMS unless it is its host's own, which the guest already knows. */
export async function extraKms(
  db: Db,
  { kms_id, teepod_id }: { kms_id: number | null; teepod_id: number },
): Promise<string | null> {
  if (kms_id === null) return null;
  const row = await db
    .selectFrom('kms')
    .innerJoin('teepod_kms', 'teepod_kms.kms_id', 'kms.id')
    .innerJoin('teepods', 'teepods.id', 'teepod_kms.teepod_id')
    .select('kms.url')
    .where('kms.id', '=', kms_id)
    .where('teepods.id', '=', teepod_id)
    .where((eb) => eb.or([eb('teepods.kms_id', 'is', null), eb('teepods.kms_id', '<>', kms_id)]))
    .executeTakeFirst();
  return row?.url ?? null;
}
