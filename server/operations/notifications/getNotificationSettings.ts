import type { Handler } from '../types';
import { settingsView } from './settings';

export const getNotificationSettings: Handler<'getNotificationSettings'> = async ({ ctx }) => ({
  status: 200,
  body: await settingsView(ctx, ctx.db),
});
