import { createDeviceAuthorization } from '../../../db/accounts/deviceAuthorizations';
import {
  DEVICE_CODE_SECONDS,
  DEVICE_POLL_SECONDS,
  requestedScopes,
} from '../../../domain/accounts/deviceCode';
import { hashToken, newToken } from '../../../domain/teams/token';
import type { Handler } from '../../types';

export const createDeviceCode: Handler<'createDeviceCode'> = async ({ body, ctx }) => {
  const device_code = newToken('dev');
  const row = await createDeviceAuthorization(ctx.db, {
    device_code_hash: hashToken(device_code),
    client_id: body.client_id,
    scopes: requestedScopes(body.scope),
    ip: ctx.ip,
    user_agent: ctx.user_agent,
    seconds: DEVICE_CODE_SECONDS,
    poll_interval_seconds: DEVICE_POLL_SECONDS,
  });
  const verification_uri = `${ctx.config.publicUrl}/cli/verify`;
  return {
    status: 200,
    body: {
      device_code,
      user_code: row.user_code,
      verification_uri,
      verification_uri_complete: `${verification_uri}?user_code=${row.user_code}`,
      expires_in: DEVICE_CODE_SECONDS,
      interval: row.poll_interval_seconds,
    },
  };
};
