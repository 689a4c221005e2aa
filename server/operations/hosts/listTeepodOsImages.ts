import { imagesOfTeepod } from '../../db/catalog/adminOsImages';
import { adminOsImageOut } from '../../domain/hosts/adminFleetResponse';
import type { Handler } from '../types';
import { teepodOr404 } from './teepod';

export const listTeepodOsImages: Handler<'listTeepodOsImages'> = async ({ path, ctx }) => {
  await teepodOr404(ctx.db, path.id);
  return { status: 200, body: (await imagesOfTeepod(ctx.db, path.id)).map(adminOsImageOut) };
};
