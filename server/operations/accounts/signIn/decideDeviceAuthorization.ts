import { countLiveTokens } from '../../../db/teams/apiTokens';
import { decide, type DeviceAuthorizationRow } from '../../../db/accounts/deviceAuthorizations';
import { enforcedSso } from '../../../db/teams/ssoMembers';
import { findTeam, type TeamMembership } from '../../../db/teams/teams';
import { grantableScopes } from '../../../domain/accounts/deviceCode';
import { decide as decidePermission } from '../../../domain/teams/permissions';
import { Problem } from '../../../domain/core/problem';
import { teamRefusal } from '../../../domain/teams/teamRules';
import { userOf } from '../../core/caller';
import { needRoomForToken } from '../../core/tokens';
import { requireVerified } from '../../core/requireVerified';
import type { Context, Handler } from '../../types';
import { deviceAuthorizationOut, loginOf } from './getDeviceAuthorization';

export const decideDeviceAuthorization: Handler<'decideDeviceAuthorization'> = async ({ body, ctx }) => {
  const { id: user_id } = userOf(ctx);
  const login = await loginOf(ctx, body.user_code);
  const grant = body.decision === 'approve' ? await grantOf(ctx, login, body.workspace_slug) : null;
  return ctx.write(async ({ trx, audit }) => {
    const row = await decide(
      trx,
      login.user_code,
      grant
        ? {
            state: 'approved',
            user_id,
            team_id: grant.team.id,
            scopes: grant.scopes,
            via_sso: ctx.caller.via_sso,
          }
        : { state: 'denied', user_id, team_id: null },
    );
    if (!row)
      throw new Problem('CONFLICT', {
        message: 'This login has already been approved or denied, or has expired.',
      });
    await audit({
      action: grant ? 'device.approve' : 'device.deny',
      target_kind: 'device_authorization',
      target_id: row.user_code,
      team_id: grant?.team.id ?? null,
      after: { client_id: row.client_id, scopes: row.scopes, requested_from: row.ip },
    });
    return { status: 200, body: deviceAuthorizationOut(row, ctx.ip) } as const;
  });
};

/**
 * Returns what the command line gets: the requested scopes that the user has, in a team they may create
 * tokens in.
 */
async function grantOf(
  ctx: Context,
  login: DeviceAuthorizationRow,
  slug: string | undefined,
): Promise<{ team: TeamMembership; scopes: string[] }> {
  if (slug === undefined)
    throw new Problem('VALIDATION_FAILED', {
      message: 'Choose the team the command line will act for.',
      details: [{ field: 'workspace_slug', message: 'Required to approve.' }],
    });
  requireVerified(ctx);
  const user = userOf(ctx);
  const team = await findTeam(ctx.db, user.id, slug);
  const enforced_sso = team ? ((await enforcedSso(ctx.db, user.id)).get(team.id) ?? null) : null;
  const refused = team ? teamRefusal({ ...ctx.caller, team: { ...team, enforced_sso } }) : null;
  // A session opened by single sign-on doesn't learn which other teams its user is in.
  if (!team || refused === 'own_sign_in')
    throw new Problem('NOT_FOUND', { message: `You don't belong to a team “${slug}”.` });
  const roles = { team_role: team.role, platform_role: user.platform_role };
  if (decidePermission('tokens.write', { kind: 'session', ...roles, scopes: [] }) !== 'allowed')
    throw new Problem('FORBIDDEN', {
      message: `A command-line login creates a token, and your role in ${team.name} (${team.role}) can't create tokens.`,
      suggestions: ['Choose another team, or ask an admin or owner for the member role.'],
    });
  if (refused === 'second_factor') throw new Problem('SECOND_FACTOR_REQUIRED');
  if (refused === 'sso') throw new Problem('SSO_REQUIRED');
  needRoomForToken(await countLiveTokens(ctx.db, team.id, user.id));
  return { team, scopes: grantableScopes(login.scopes, roles) };
}
