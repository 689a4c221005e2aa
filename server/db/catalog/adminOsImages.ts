import { sql } from 'kysely';
import type { AdminOsImage } from '../../../generated/api/types.gen';
import { isConfirmed } from './confirmedImages';
import type { AdminFieldKind, AdminListSource } from '../core/adminList';
import type { Db, Tx } from '../core/client';
import type { OsImageRow } from './osImagesTable';

export type AdminOsImageRow = OsImageRow &
  Pick<AdminOsImage, 'reported_hash' | 'teepod_count' | 'teepods' | 'cvm_count'>;

const SELECT = sql<AdminOsImageRow>`
  select i.*, case when not ${isConfirmed('i')} then i.os_image_hash end as reported_hash,
    (select count(*)::int from teepod_os_images ti where ti.os_image_id = i.id) as teepod_count,
    array(select t.name from teepod_os_images ti join teepods t on t.id = ti.teepod_id
          where ti.os_image_id = i.id order by t.name limit 500) as teepods,
    coalesce(u.cvm_count, 0) as cvm_count
  from os_images i left join (
    select os_image, count(*)::int as cvm_count from cvms where deleted_at is null group by os_image
  ) u on u.os_image = i.name`;

export const adminOsImages: AdminListSource<AdminOsImageRow> = {
  fields: {
    id: 'integer',
    name: 'text',
    slug: 'text',
    version: 'text',
    os_image_hash: 'text',
    os_image_hash_source: 'text',
    reported_hash: 'text',
    is_dev: 'boolean',
    requires_gpu: 'boolean',
    state: 'text',
    teepod_count: 'integer',
    teepods: 'none',
    cvm_count: 'integer',
    created_at: 'time',
    updated_at: 'time',
  } satisfies Record<keyof AdminOsImage, AdminFieldKind>,
  searched: ['name', 'slug', 'version', 'os_image_hash'],
  select: SELECT,
};

export const lockOsImage = (trx: Tx, id: number) =>
  trx.selectFrom('os_images').selectAll().where('id', '=', id).forUpdate().executeTakeFirst();

/** Returns the images a host has. */
export async function imagesOfTeepod(db: Db, teepod_id: number): Promise<AdminOsImageRow[]> {
  const { rows } = await sql<AdminOsImageRow>`select r.* from (${SELECT}) r
    where exists (select 1 from teepod_os_images ti where ti.os_image_id = r.id and ti.teepod_id = ${teepod_id})
    order by r.name limit 1000`.execute(db);
  return rows;
}
