import { countLiveTokens } from '../../db/apiTokens';
import { decide, type DeviceAuthorizationRow } from '../../db/deviceAuthorizations';
import { enforcedSso } from '../../db/ssoMembers';
import { findTeam, type TeamMembership } from '../../db/teams';
import { grantableScopes } from '../../domain/deviceCode';
import { decide as decidePermission } from '../../domain/permissions';
import { Problem } from '../../domain/problem';
import { teamRefusal } from '../../domain/teamRules';
import { personOf } from '../shared/caller';
import { needRoomForToken } from '../shared/tokens';
import { requireVerified } from '../shared/verified';
import type { Context, Handler } from '../types';
import { deviceAuthorizationOut, loginOf } from './getDeviceAuthorization';

export const decideDeviceAuthorization: Handler<'decideDeviceAuthorization'> = async ({ body, ctx }) => {
  const { id: user_id } = personOf(ctx);
  const login = await loginOf(ctx, body.user_code);
  const grant = body.decision === 'approve' ? await grantOf(ctx, login, body.workspace_slug) : null;
  return ctx.write(async ({ trx, audit }) => {
    const row = await decide(
      trx,
      login.user_code,
      grant
        ? { state: 'approved', user_id, team_id: grant.team.id, scopes: grant.scopes }
        : { state: 'denied', user_id, team_id: null },
    );
    if (!row)
      throw new Problem('CONFLICT', { message: 'This login has been decided already, or has expired.' });
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

/** What the command line gets: of what it asked for, that which the person may do in a team they may make tokens in. */
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
  const user = personOf(ctx);
  const team = await findTeam(ctx.db, user.id, slug);
  if (!team) throw new Problem('NOT_FOUND', { message: `There is no team “${slug}” that you belong to.` });
  const roles = { team_role: team.role, platform_role: user.platform_role };
  if (decidePermission('tokens.write', { kind: 'session', ...roles, scopes: [] }) !== 'allowed')
    throw new Problem('FORBIDDEN', {
      message: `As ${team.role} of ${team.name} you cannot make tokens, and a command-line login makes one.`,
      suggestions: ['Choose another team, or ask an admin or owner for the role of a member.'],
    });
  const enforced_sso = (await enforcedSso(ctx.db, user.id)).get(team.id) ?? null;
  const refused = teamRefusal({ ...ctx.caller, team: { ...team, enforced_sso } });
  if (refused === 'second_factor') throw new Problem('SECOND_FACTOR_REQUIRED');
  if (refused === 'sso') throw new Problem('SSO_REQUIRED');
  needRoomForToken(await countLiveTokens(ctx.db, team.id, user.id));
  return { team, scopes: grantableScopes(login.scopes, roles) };
}
