import type { NotificationSettings } from '../../../generated/api/types.gen';
import type { Db, Tx } from '../../db/core/client';
import { findNotificationSettings, storedPreferences } from '../../db/notifications/notificationSettings';
import { enforcedSso } from '../../db/teams/ssoMembers';
import { listTeams, type TeamMembership } from '../../db/teams/teams';
import { findUser } from '../../db/accounts/users';
import { NOTIFICATION_KINDS, usualPreference } from '../../domain/notifications/notify';
import { Problem } from '../../domain/core/problem';
import type { EnforcedSso } from '../../domain/teams/sso';
import { teamRefusal } from '../../domain/teams/teamRules';
import { teamRef } from '../../domain/notifications/notificationResponse';
import { userOf } from '../core/caller';
import type { Context } from '../types';

const MAX_TEAMS = 1000;

/** Returns the user's teams that this session may enter; the others' notifications aren't shown here. */
export async function teamsToEnter(ctx: Context, db: Db | Tx = ctx.db): Promise<TeamMembership[]> {
  const user = userOf(ctx);
  const { session, view_as } = ctx.caller;
  const [teams, enforced] = await Promise.all([
    listTeams(db as Db, { user_id: user.id, limit: MAX_TEAMS }),
    // Staff viewing as the user aren't members, and the team's provider doesn't know them.
    view_as ? new Map<number, EnforcedSso>() : enforcedSso(db, user.id),
  ]);
  return teams.filter(
    (team) =>
      teamRefusal({
        user,
        team: { ...team, enforced_sso: enforced.get(team.id) ?? null },
        session,
        view_as,
      }) === null,
  );
}

export const teamIdsToEnter = async (ctx: Context): Promise<number[]> =>
  (await teamsToEnter(ctx)).map(({ id }) => id);

export async function settingsView(ctx: Context, db: Db | Tx): Promise<NotificationSettings> {
  const { id } = userOf(ctx);
  const [settings, stored, teams, [first], user] = await Promise.all([
    findNotificationSettings(db, id),
    storedPreferences(db, id),
    teamsToEnter(ctx, db),
    listTeams(db as Db, { user_id: id, limit: 1 }),
    findUser(db, id),
  ]);
  if (!user) throw new Problem('UNAUTHENTICATED');
  const chosen = new Map(stored.map((one) => [`${one.team_id} ${one.kind}`, one]));
  return {
    time_zone: settings?.time_zone ?? null,
    quiet_hours:
      settings?.quiet_from && settings.quiet_to ? { from: settings.quiet_from, to: settings.quiet_to } : null,
    email: user.email,
    email_verified: user.email_verified_at !== null,
    // Staff notices are listed in their first team, even if this session may not enter it.
    teams: teams.map((team) => ({
      team: teamRef(team),
      preferences: NOTIFICATION_KINDS.flatMap((kind) => {
        const usual = usualPreference(kind, team.role, team.id === first?.id ? user.platform_role : null);
        if (!usual) return [];
        const { console, mail } = chosen.get(`${team.id} ${kind}`) ?? usual;
        return [{ kind, console, mail }];
      }),
    })),
  };
}
