import { findConnection } from '../../../db/teams/sso';
import { teamOf } from '../../core/caller';
import type { Handler } from '../../types';
import { settingsOut } from './connection';

export const getSso: Handler<'getSso'> = async ({ ctx }) => {
  const body = settingsOut(ctx, (await findConnection(ctx.db, teamOf(ctx).id)) ?? null);
  return { status: 200, headers: { ETag: body.etag }, body };
};
