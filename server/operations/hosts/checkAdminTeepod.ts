import type { Handler } from '../types';
import { teepodOr404 } from './teepod';
import { checkHost } from './teepodCheck';

export const checkAdminTeepod: Handler<'checkAdminTeepod'> = async ({ path, ctx }) => {
  const teepod = await teepodOr404(ctx.db, path.id);
  return { status: 200, body: await checkHost(ctx, teepod, teepod) };
};
