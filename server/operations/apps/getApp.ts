import { toApp } from '../../domain/apps/appResponse';
import type { Handler } from '../types';
import { appOf } from './appId';
import { cvmsOfApp } from './cvmsOfApp';

export const getApp: Handler<'getApp'> = async ({ path, ctx }) => {
  const summary = await appOf(ctx, path.app_id);
  return { status: 200, body: toApp(summary, await cvmsOfApp(ctx, summary.app.id)) };
};
