import { askInNextRound } from '../../db/hosts/hostShards';
import type { Handler } from '../types';
import { teepodOr404 } from './teepod';
import { checkHost } from './teepodCheck';

export const checkAdminTeepod: Handler<'checkAdminTeepod'> = async ({ path, ctx }) => {
  const teepod = await teepodOr404(ctx.db, path.id);
  const body = await checkHost(ctx, teepod, teepod);
  // An administrator waits for it, so its worker doesn't.
  await askInNextRound(ctx.db, teepod.id);
  return { status: 200, body };
};
