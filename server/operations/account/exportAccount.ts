import { listSessionsOf } from '../../db/accountSessions';
import { allSshKeys, tokensOf } from '../../db/accounts';
import { listAuditOfPerson } from '../../db/auditQueries';
import { listNotifications } from '../../db/notificationLists';
import { listTeams } from '../../db/teams';
import { accountSessionOut } from '../../domain/wire/account';
import { apiTokenOut } from '../../domain/wire/apiToken';
import { toAuditEntry } from '../../domain/wire/audit';
import { notificationOut } from '../../domain/wire/notification';
import { sshKeyOut } from '../../domain/wire/sshKey';
import { workspaceOut } from '../../domain/wire/team';
import { personOf } from '../shared/caller';
import type { Handler } from '../types';
import { settingsView, teamIdsToEnter } from '../notifications/settings';
import { accountView } from './account';
import { secondFactorsView } from './getSecondFactors';

const MOST_ENTRIES = 10_000;
const MOST_NOTIFICATIONS = 500;

/** Everything kept about the person, in the shapes the API shows it in: no secret and no hash has one. */
export const exportAccount: Handler<'exportAccount'> = async ({ ctx }) => {
  const { id, public_id, username, avatar } = personOf(ctx);
  await ctx.write(({ audit }) =>
    audit({ action: 'user.export', target_kind: 'user', target_id: public_id, team_id: null }),
  );
  const team_ids = await teamIdsToEnter(ctx);
  const [account, teams, sessions, keys, tokens, second_factors, told, notification_settings, entries] =
    await Promise.all([
      accountView(ctx.db, id),
      listTeams(ctx.db, { user_id: id, limit: 1000 }),
      listSessionsOf(ctx.db, id),
      allSshKeys(ctx.db, id),
      tokensOf(ctx.db, id),
      secondFactorsView(ctx.db, id),
      listNotifications(ctx.db, {
        user_id: id,
        team_ids,
        unread: false,
        before: null,
        limit: MOST_NOTIFICATIONS,
      }),
      settingsView(ctx, ctx.db),
      listAuditOfPerson(ctx.db, public_id, MOST_ENTRIES),
    ]);
  const owner = { owner_public_id: public_id, owner_username: username, owner_avatar: avatar };
  const now = new Date();
  return {
    status: 200,
    headers: {
      'Content-Disposition': `attachment; filename="teehouse-account-${now.toISOString().slice(0, 10)}.json"`,
    },
    body: {
      exported_at: now.toISOString(),
      account,
      teams: teams.map(workspaceOut),
      sessions: sessions.map((row) => accountSessionOut(row, ctx.caller.session?.id ?? null)),
      ssh_keys: keys.map((row) => sshKeyOut(row, public_id)),
      tokens: tokens.map((row) => apiTokenOut({ ...row, ...owner }, now)),
      second_factors,
      notification_settings,
      notifications: told.map(notificationOut),
      audit: entries.map(toAuditEntry),
    },
  };
};
