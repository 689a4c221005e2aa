import { findConnection } from '../../db/sso';
import { teamOf } from '../shared/caller';
import type { Handler } from '../types';
import { settingsOut } from './connection';

export const getSso: Handler<'getSso'> = async ({ ctx }) => ({
  status: 200,
  body: settingsOut(ctx, (await findConnection(ctx.db, teamOf(ctx).id)) ?? null),
});
