import type { DeviceAuthorization } from '../../../generated/api/types.gen';
import { findByUserCode, type DeviceAuthorizationRow } from '../../db/deviceAuthorizations';
import { parseUserCode } from '../../domain/deviceCode';
import { Problem } from '../../domain/problem';
import type { Context, Handler } from '../types';

export const getDeviceAuthorization: Handler<'getDeviceAuthorization'> = async ({ path, ctx }) => ({
  status: 200,
  body: deviceAuthorizationOut(await loginOf(ctx, path.user_code)),
});

/** The login of a code as a person typed it. */
export async function loginOf(ctx: Context, typed: string): Promise<DeviceAuthorizationRow> {
  const user_code = parseUserCode(typed);
  const row = user_code === null ? undefined : await findByUserCode(ctx.db, user_code);
  if (!row)
    throw new Problem('NOT_FOUND', {
      message: 'There is no login with this code.',
      suggestions: ['Compare it with what the command line shows, or start the login again.'],
    });
  return row;
}

export function deviceAuthorizationOut(row: DeviceAuthorizationRow): DeviceAuthorization {
  const expired = row.state === 'pending' && row.expires_at.getTime() <= Date.now();
  return {
    user_code: row.user_code,
    client_id: row.client_id,
    scopes: row.scopes,
    state: expired ? 'expired' : row.state === 'used' ? 'approved' : row.state,
    requested_from: row.ip,
    user_agent: row.user_agent,
    created_at: row.created_at.toISOString(),
    expires_at: row.expires_at.toISOString(),
  };
}
