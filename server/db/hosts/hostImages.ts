import { sql } from 'kysely';
import type { Db, Tx } from '../core/client';

/** Returns how many CVMs on a host need each image. CVMs in the recycle bin count: they can be restored. */
export async function cvmsByImage(db: Db, teepod_id: number): Promise<Map<string, number>> {
  const { rows } = await sql<{ os_image: string; cvm_count: number }>`
    select os_image, count(*)::int as cvm_count from cvms
    where teepod_id = ${teepod_id} and (deleted_at is null or purge_at is not null)
    group by os_image limit 1000`.execute(db);
  return new Map(rows.map(({ os_image, cvm_count }) => [os_image, cvm_count]));
}

/** Stops offering an image on a host, before the host's next report does. */
export const forgetImage = (trx: Tx, teepod_id: number, name: string) =>
  sql`delete from teepod_os_images ti using os_images i
    where ti.os_image_id = i.id and ti.teepod_id = ${teepod_id} and i.name = ${name}`.execute(trx);
