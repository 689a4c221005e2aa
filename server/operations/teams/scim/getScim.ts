import { findScimToken } from '../../../db/teams/scimTokens';
import { findConnection } from '../../../db/teams/sso';
import { scimSettingsOut } from '../../../domain/teams/scim/settingsResponse';
import { teamOf } from '../../core/caller';
import type { Handler } from '../../types';

export const getScim: Handler<'getScim'> = async ({ ctx }) => {
  const connection = await findConnection(ctx.db, teamOf(ctx).id);
  const token = connection ? await findScimToken(ctx.db, connection.id) : null;
  return { status: 200, body: scimSettingsOut(ctx.config, token) };
};
