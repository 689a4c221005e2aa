import { appOrigin } from '../../db/catalog/templateVersions';
import { appTemplateOut } from '../../domain/catalog/newerTemplate';
import { offeredTemplate } from '../catalog/templateVersion';
import type { Handler } from '../types';
import { appOf } from './appId';

export const getAppTemplate: Handler<'getAppTemplate'> = async ({ path, ctx }) => {
  const { app } = await appOf(ctx, path.app_id);
  const origin = await appOrigin(ctx.db, app.id);
  if (!origin) return { status: 200, body: { template: null, newer: null } };
  return { status: 200, body: appTemplateOut(origin, await offeredTemplate(ctx, origin)) };
};
