import { countLiveTokens, createToken, findTeamToken } from '../../db/apiTokens';
import { Problem } from '../../domain/problem';
import { apiTokenOut } from '../../domain/wire/apiToken';
import { holdTeam, personOf } from '../shared/caller';
import { mailNewToken, needRoomForToken } from '../shared/tokens';
import { requireVerified } from '../shared/verified';
import type { Handler } from '../types';
import { checkedName } from '../workspaces/names';

const DAY = 86_400;
const DEFAULT_DAYS = 90;

export const createApiToken: Handler<'createApiToken'> = async ({ body, ctx }) => {
  const me = personOf(ctx);
  requireVerified(ctx);
  const name = checkedName(body.name);
  const scopes = body.scopes.includes('*') ? ['*'] : [...new Set(body.scopes)];
  const days = body.expires_in_days === undefined ? DEFAULT_DAYS : body.expires_in_days;
  return ctx.write(async ({ trx, audit }) => {
    // Held, so that requests side by side count each other's tokens, and none outlives its owner's removal.
    const { team } = await holdTeam(trx, ctx, 'tokens.write');
    needRoomForToken(await countLiveTokens(trx, team.id, me.id));
    const { token, token_row } = await createToken(trx, {
      type: 'api',
      user_id: me.id,
      team_id: team.id,
      name,
      scopes,
      seconds: days === null ? null : days * DAY,
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
      },
    });
    const row = await findTeamToken(trx, team.id, token_row.public_id);
    if (!row) throw new Problem('INTERNAL', { cause: new Error('a new token was not found') });
    return { status: 201, body: { token, api_token: apiTokenOut(row) } } as const;
  });
};
