import type { Handler } from '../../types';
import { hostImages } from './hostImages';
import { teepodOr404 } from '../teepod';

export const getTeepodHostImages: Handler<'getTeepodHostImages'> = async ({ path, ctx }) => {
  const teepod = await teepodOr404(ctx.db, path.id);
  return { status: 200, body: await hostImages(ctx, ctx.db, teepod) };
};
