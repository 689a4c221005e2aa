import type { AdminOsImagePatch } from '../../../../generated/api/types.gen';
import { lockOsImage } from '../../../db/catalog/adminOsImages';
import type { Handler } from '../../types';
import { changeRow } from '../../core/admin/resource';
import { osImages } from '../../core/admin/resourcesFleet';

export const updateAdminOsImage: Handler<'updateAdminOsImage'> = async ({ path, body, ctx }) =>
  changeRow(ctx, osImages, path.id, {
    kind: 'os_image',
    patch: hashed(body),
    lock: lockOsImage,
    write: (trx, changes) => trx.updateTable('os_images').set(changes).where('id', '=', path.id).execute(),
  });

/** Also rejects hosts and evidence with another hash: both are compared with the entered one from then on. */
function hashed({ os_image_hash, ...rest }: AdminOsImagePatch) {
  if (os_image_hash === undefined) return rest;
  return {
    ...rest,
    os_image_hash: os_image_hash?.replace(/^0x/i, '').toLowerCase() ?? null,
    os_image_hash_source: os_image_hash === null ? null : ('administrator' as const),
  };
}
