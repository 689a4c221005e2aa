import type { Handler } from '../types';
import { publicAppDetail } from './publicApp';

export const getPublicApp: Handler<'getPublicApp'> = async ({ path, ctx }) => ({
  status: 200,
  body: await publicAppDetail(ctx, path.app_id, ctx.ip),
});
