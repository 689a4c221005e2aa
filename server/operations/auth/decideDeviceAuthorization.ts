import { decide } from '../../db/deviceAuthorizations';
import { Problem } from '../../domain/problem';
import { personOf, teamOfPath } from '../shared/caller';
import type { Handler } from '../types';
import { deviceAuthorizationOut, loginOf } from './getDeviceAuthorization';

export const decideDeviceAuthorization: Handler<'decideDeviceAuthorization'> = async ({ body, ctx }) => {
  const { id: user_id } = personOf(ctx);
  const login = await loginOf(ctx, body.user_code);
  const approve = body.decision === 'approve';
  if (approve && body.workspace_slug === undefined)
    throw new Problem('VALIDATION_FAILED', {
      message: 'Choose the team the command line will act for.',
      details: [{ field: 'workspace_slug', message: 'Required to approve.' }],
    });
  const team = approve ? await teamOfPath(ctx, body.workspace_slug ?? '') : null;
  return ctx.write(async ({ trx, audit }) => {
    const row = await decide(trx, login.user_code, {
      state: approve ? 'approved' : 'denied',
      user_id,
      team_id: team?.id ?? null,
    });
    if (!row)
      throw new Problem('CONFLICT', { message: 'This login has been decided already, or has expired.' });
    await audit({
      action: approve ? 'device.approve' : 'device.deny',
      target_kind: 'device_authorization',
      target_id: row.user_code,
      team_id: team?.id ?? null,
      after: { client_id: row.client_id, scopes: row.scopes, requested_from: row.ip },
    });
    return { status: 200, body: deviceAuthorizationOut(row) } as const;
  });
};
