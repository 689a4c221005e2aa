import { lockOsImage } from '../../../db/catalog/adminOsImages';
import type { Handler } from '../../types';
import { changeRow } from '../../core/admin/resource';
import { osImages } from '../../core/admin/resourcesFleet';

export const updateAdminOsImage: Handler<'updateAdminOsImage'> = async ({ path, body, ctx }) =>
  changeRow(ctx, osImages, path.id, {
    kind: 'os_image',
    patch: body,
    lock: lockOsImage,
    write: (trx, changes) => trx.updateTable('os_images').set(changes).where('id', '=', path.id).execute(),
  });
