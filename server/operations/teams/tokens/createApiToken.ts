import { countLiveTokens, createToken, findTeamToken } from '../../../db/teams/apiTokens';
import { Problem } from '../../../domain/core/problem';
import { apiTokenOut } from '../../../domain/teams/tokenResponse';
import { holdTeam, userOf } from '../../core/caller';
import { mailNewToken, needRoomForToken } from '../../core/tokens';
import { requireVerified } from '../../core/requireVerified';
import type { Handler } from '../../types';
import { checkedName } from '../names';

const DAY = 86_400;
const DEFAULT_DAYS = 90;

export const createApiToken: Handler<'createApiToken'> = async ({ body, ctx }) => {
  const me = userOf(ctx);
  requireVerified(ctx);
  const name = checkedName(body.name);
  const scopes = body.scopes.includes('*') ? ['*'] : [...new Set(body.scopes)];
  const days = body.expires_in_days === undefined ? DEFAULT_DAYS : body.expires_in_days;
  return ctx.write(async ({ trx, audit }) => {
    // Locked, so that concurrent requests count each other's tokens, and none outlives its owner's removal.
    const { team } = await holdTeam(trx, ctx, 'tokens.write');
    needRoomForToken(await countLiveTokens(trx, team.id, me.id));
    const { token, token_row } = await createToken(trx, {
      type: 'api',
      user_id: me.id,
      team_id: team.id,
      name,
      scopes,
      seconds: days === null ? null : days * DAY,
      via_sso: ctx.caller.via_sso,
      default_version: body.default_version ?? null,
    });
    await mailNewToken(ctx, trx, { to: me, team, token: token_row, from: ctx });
    await audit({
      action: 'token.create',
      target_kind: 'token',
      target_id: token_row.public_id,
      after: {
        name,
        scopes,
        token_prefix: token_row.token_prefix,
        expires_at: token_row.expires_at?.toISOString() ?? null,
        default_version: token_row.default_version,
      },
    });
    const row = await findTeamToken(trx, team.id, token_row.public_id);
    if (!row) throw new Problem('INTERNAL', { cause: new Error('a new token was not found') });
    return { status: 201, body: { token, api_token: apiTokenOut(row) } } as const;
  });
};
