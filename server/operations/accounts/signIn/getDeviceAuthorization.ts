import type { DeviceAuthorization } from '../../../../generated/api/types.gen';
import { findByUserCode, type DeviceAuthorizationRow } from '../../../db/accounts/deviceAuthorizations';
import { countGuess, forgiveGuess } from '../../../db/accounts/guesses';
import { addressGroup } from '../../../domain/core/address';
import { deviceOf } from '../../../domain/accounts/device';
import { parseUserCode } from '../../../domain/accounts/deviceCode';
import { guessLimits } from '../../../domain/accounts/guessLimits';
import { placeOf } from '../../../domain/core/country';
import { Problem } from '../../../domain/core/problem';
import { userOf } from '../../core/caller';
import type { Context, Handler } from '../../types';

export const getDeviceAuthorization: Handler<'getDeviceAuthorization'> = async ({ path, ctx }) => ({
  status: 200,
  body: deviceAuthorizationOut(await loginOf(ctx, path.user_code), ctx.ip),
});

/**
 * Returns the login for a code typed by a user. Looking up codes that don't exist is an attempt to guess
 * other users' logins, so such attempts are counted per user and per IP address. A valid code takes back
 * only its own attempt, because anyone can start a login and know its code.
 */
export async function loginOf(ctx: Context, typed: string): Promise<DeviceAuthorizationRow> {
  const user_code = parseUserCode(typed);
  if (user_code === null) throw noSuchLogin();
  const { attempts, windowSeconds } = ctx.config.signIn;
  const guesser = { account: userOf(ctx).public_id, ip: ctx.ip, device: null };
  // The user's limit comes first: a user who has to wait doesn't use up the limit shared by their IP address.
  const limits = guessLimits('device_code', guesser, attempts).toReversed();
  for (const limit of limits) {
    const { judged, endsInMs } = await countGuess(ctx.db, limit, windowSeconds);
    if (!judged)
      throw new Problem('RATE_LIMITED', {
        message:
          'Too many unknown codes. Wait, then compare the code with the one shown on the command line.',
        retryAfter: Math.max(1, Math.ceil(endsInMs / 1000)),
      });
  }
  const row = await findByUserCode(ctx.db, user_code);
  if (!row) throw noSuchLogin();
  for (const { key } of limits) await forgiveGuess(ctx.db, key, false);
  return row;
}

const noSuchLogin = () =>
  new Problem('NOT_FOUND', {
    message: 'No login matches this code.',
    suggestions: ['Compare it with the code on the command line, or start the login again.'],
  });

/** `asker_ip`: IP address of the user looking at the login. */
export function deviceAuthorizationOut(row: DeviceAuthorizationRow, asker_ip: string): DeviceAuthorization {
  const expired = row.state === 'pending' && row.expires_at.getTime() <= Date.now();
  return {
    user_code: row.user_code,
    client_id: row.client_id,
    scopes: row.scopes,
    state: expired ? 'expired' : row.state === 'used' ? 'approved' : row.state,
    requested_from: row.ip,
    user_agent: row.user_agent,
    place: placeOf(row.ip ?? ''),
    device: deviceOf(row.user_agent ?? ''),
    same_network: row.ip !== null && addressGroup(row.ip) === addressGroup(asker_ip),
    created_at: row.created_at.toISOString(),
    expires_at: row.expires_at.toISOString(),
  };
}
