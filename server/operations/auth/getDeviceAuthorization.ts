import type { DeviceAuthorization } from '../../../generated/api/types.gen';
import { findByUserCode, type DeviceAuthorizationRow } from '../../db/deviceAuthorizations';
import { countGuess, forgiveGuess } from '../../db/guesses';
import { addressGroup } from '../../domain/address';
import { deviceOf } from '../../domain/device';
import { parseUserCode } from '../../domain/deviceCode';
import { guessLimits } from '../../domain/guessing';
import { placeOf } from '../../domain/place';
import { Problem } from '../../domain/problem';
import { personOf } from '../shared/caller';
import type { Context, Handler } from '../types';

export const getDeviceAuthorization: Handler<'getDeviceAuthorization'> = async ({ path, ctx }) => ({
  status: 200,
  body: deviceAuthorizationOut(await loginOf(ctx, path.user_code), ctx.ip),
});

/**
 * The login of a code as a person typed it. Whoever looks up codes that nobody has is guessing at the logins of others:
 * such attempts are counted per person and per address. A right one takes back itself and none before it, as anybody
 * can start a login of their own and know its code.
 */
export async function loginOf(ctx: Context, typed: string): Promise<DeviceAuthorizationRow> {
  const user_code = parseUserCode(typed);
  if (user_code === null) throw noSuchLogin();
  const { attempts, windowSeconds } = ctx.config.signIn;
  const guesser = { account: personOf(ctx).public_id, ip: ctx.ip, device: null };
  // The person first: once they have to wait, they use up nothing of what others behind their address have.
  const limits = guessLimits('device_code', guesser, attempts).toReversed();
  for (const limit of limits) {
    const { judged, endsInMs } = await countGuess(ctx.db, limit, windowSeconds);
    if (!judged)
      throw new Problem('RATE_LIMITED', {
        message:
          'Too many codes that nobody has. Wait, then compare the code with what the command line shows.',
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
    message: 'There is no login with this code.',
    suggestions: ['Compare it with what the command line shows, or start the login again.'],
  });

/** `asker_ip`: address of the person who looks. */
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
