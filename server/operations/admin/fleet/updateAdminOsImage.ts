import { lockOsImage } from '../../../db/adminOsImages';
import type { Handler } from '../../types';
import { changeRow } from '../resource';
import { osImages } from '../resourcesFleet';

export const updateAdminOsImage: Handler<'updateAdminOsImage'> = async ({ path, body, ctx }) =>
  changeRow(ctx, osImages, path.id, {
    kind: 'os_image',
    patch: body,
    lock: lockOsImage,
    write: (trx, changes) => trx.updateTable('os_images').set(changes).where('id', '=', path.id).execute(),
  });
