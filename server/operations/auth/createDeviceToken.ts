import type { DeviceError } from '../../../generated/api/types.gen';
import { withTransaction } from '../../db/client';
import { notePoll, redeem, slowDown, type DeviceAuthorizationRow } from '../../db/deviceAuthorizations';
import { createToken } from '../../db/apiTokens';
import { lockTeam, roleOf } from '../../db/members';
import { findUser } from '../../db/users';
import type { TeamRole } from '../../domain/caller';
import { CLI_TOKEN_SECONDS, SLOW_DOWN_SECONDS, SLOWEST_POLL_SECONDS } from '../../domain/deviceCode';
import { decide } from '../../domain/permissions';
import { Problem } from '../../domain/problem';
import { hashToken } from '../../domain/token';
import { mailNewToken } from '../shared/tokens';
import type { Context, Handler } from '../types';

/** Timers and networks are not exact: a poll this much early still counts as punctual. */
const EARLY_SECONDS = 0.5;

const reasons: Record<DeviceError['error'], string> = {
  authorization_pending: 'Nobody has approved this login yet.',
  slow_down: 'Polling too fast.',
  expired_token: 'This login has expired. Start again.',
  access_denied: 'The login was denied in the browser.',
  invalid_grant: 'This device code is not known, or its token has been handed out already.',
  invalid_client: 'This client is not known.',
};

const mayMakeTokens = (team_role: TeamRole | null) =>
  decide('tokens.write', { kind: 'session', team_role, platform_role: null, scopes: [] }) === 'allowed';

const refusal = (error: DeviceError['error']) =>
  new Problem('DEVICE_AUTHORIZATION', {
    message: reasons[error],
    device: { error, error_description: reasons[error] },
  });

export const createDeviceToken: Handler<'createDeviceToken'> = async ({ body, ctx }) => {
  const { row, too_fast } = await poll(ctx, body.device_code);
  if (row.state === 'used') throw refusal('invalid_grant');
  if (row.state === 'denied') throw refusal('access_denied');
  if (row.expires_at.getTime() <= Date.now()) throw refusal('expired_token');
  if (row.state === 'pending') throw refusal(too_fast ? 'slow_down' : 'authorization_pending');
  return ctx.write(async ({ trx, audit }) => {
    const taken = await redeem(trx, row.id);
    if (!taken) throw refusal('invalid_grant');
    const { user_id, team_id, scopes, client_id: name } = taken;
    // Approved is not allowed for good: whoever lost the right to make tokens since then gets none.
    const team = await lockTeam(trx, team_id);
    const owner = await findUser(trx, user_id);
    if (!team || !owner || !mayMakeTokens(await roleOf(trx, team_id, user_id)))
      throw refusal('access_denied');
    const { token, token_row } = await createToken(trx, {
      type: 'cli',
      user_id,
      team_id,
      name,
      scopes,
      seconds: CLI_TOKEN_SECONDS,
    });
    await audit({
      action: 'token.create',
      target_kind: 'token',
      target_id: token_row.public_id,
      team_id,
      actor_user_id: user_id,
      after: { name, scopes, token_prefix: token_row.token_prefix, via: 'device' },
    });
    await mailNewToken(ctx, trx, { to: owner, team, token: token_row, from: taken });
    return {
      status: 200,
      body: { access_token: token, token_type: 'bearer', expires_in: CLI_TOKEN_SECONDS },
    } as const;
  });
};

/** Notes the poll, which stays noted although the answer is a refusal. Each early one makes the next wait longer. */
function poll(
  ctx: Context,
  device_code: string,
): Promise<{ row: DeviceAuthorizationRow; too_fast: boolean }> {
  return withTransaction(ctx.db, async (trx) => {
    const found = await notePoll(trx, hashToken(device_code));
    if (!found) throw refusal('invalid_grant');
    const { row, seconds_since } = found;
    const interval = row.poll_interval_seconds;
    const too_fast = seconds_since !== null && seconds_since < interval - EARLY_SECONDS;
    if (too_fast && row.state === 'pending')
      await slowDown(trx, row.id, Math.min(interval + SLOW_DOWN_SECONDS, SLOWEST_POLL_SECONDS));
    return { row, too_fast };
  });
}
