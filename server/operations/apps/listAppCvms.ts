import type { Handler } from '../types';
import { appOf } from './appId';
import { cvmsOfApp } from './cvmsOfApp';

export const listAppCvms: Handler<'listAppCvms'> = async ({ path, ctx }) => {
  const { app } = await appOf(ctx, path.app_id);
  return { status: 200, body: await cvmsOfApp(ctx, app.id) };
};
