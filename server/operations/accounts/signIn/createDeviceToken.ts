import type { DeviceError } from '../../../../generated/api/types.gen';
import {
  notePoll,
  redeem,
  slowDown,
  type DeviceAuthorizationRow,
} from '../../../db/accounts/deviceAuthorizations';
import { createToken } from '../../../db/teams/apiTokens';
import { lockTeam, roleOf } from '../../../db/teams/members';
import { findUser } from '../../../db/accounts/users';
import type { TeamRole } from '../../../domain/core/caller';
import {
  CLI_TOKEN_SECONDS,
  SLOW_DOWN_SECONDS,
  SLOWEST_POLL_SECONDS,
} from '../../../domain/accounts/deviceCode';
import { decide } from '../../../domain/teams/permissions';
import { Problem } from '../../../domain/core/problem';
import { hashToken } from '../../../domain/teams/token';
import { mailNewToken } from '../../core/tokens';
import type { Context, Handler } from '../../types';

/** Timers and networks are imprecise, so a poll this early still counts as on time. */
const EARLY_SECONDS = 0.5;

const reasons: Record<DeviceError['error'], string> = {
  authorization_pending: "This login hasn't been approved yet.",
  slow_down: 'Polling too fast.',
  expired_token: 'This login has expired. Start again.',
  access_denied: 'The login was denied in the browser.',
  invalid_grant: 'Unknown device code, or its token has already been issued.',
  invalid_client: 'Unknown client.',
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
    const { user_id, team_id, scopes, via_sso, client_id: name } = taken;
    // Approval doesn't last: a user who has since lost the right to create tokens gets none.
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
      via_sso,
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

/**
 * Records the poll, which persists even though the answer is a refusal. Each early poll makes the next wait
 * longer.
 */
function poll(
  ctx: Context,
  device_code: string,
): Promise<{ row: DeviceAuthorizationRow; too_fast: boolean }> {
  return ctx.writeUnaudited(async (trx) => {
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
