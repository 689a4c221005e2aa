import { listSessionsOf } from '../../db/accounts/accountSessions';
import { allSshKeys, tokensOf } from '../../db/accounts/accounts';
import { listWalletsOf } from '../../db/accounts/wallets';
import { listAuditOfPerson } from '../../db/audit/auditQueries';
import { listNotifications } from '../../db/notifications/notificationLists';
import { listTeams } from '../../db/teams/teams';
import { accountSessionOut } from '../../domain/accounts/accountResponse';
import { walletOut } from '../../domain/accounts/walletResponse';
import { apiTokenOut } from '../../domain/teams/tokenResponse';
import { toAuditEntry } from '../../domain/audit/auditResponse';
import { notificationOut } from '../../domain/notifications/notificationResponse';
import { sshKeyOut } from '../../domain/accounts/sshKeyResponse';
import { workspaceOut } from '../../domain/teams/teamResponse';
import { userOf } from '../core/caller';
import type { Handler } from '../types';
import { settingsView, teamIdsToEnter } from '../notifications/settings';
import { accountView } from './account';
import { secondFactorsView } from './getSecondFactors';

const MAX_ENTRIES = 10_000;
const MAX_NOTIFICATIONS = 500;

/**
 * Exports all data kept about the user, in the shapes the API returns; those contain no secrets or hashes.
 */
export const exportAccount: Handler<'exportAccount'> = async ({ ctx }) => {
  const { id, public_id, username, avatar } = userOf(ctx);
  await ctx.write(({ audit }) =>
    audit({ action: 'user.export', target_kind: 'user', target_id: public_id, team_id: null }),
  );
  const team_ids = await teamIdsToEnter(ctx);
  const [
    account,
    teams,
    sessions,
    keys,
    wallets,
    tokens,
    second_factors,
    notifications,
    notification_settings,
    entries,
  ] = await Promise.all([
    accountView(ctx.db, id),
    listTeams(ctx.db, { user_id: id, limit: 1000 }),
    listSessionsOf(ctx.db, id),
    allSshKeys(ctx.db, id),
    listWalletsOf(ctx.db, id),
    tokensOf(ctx.db, id),
    secondFactorsView(ctx.db, id),
    listNotifications(ctx.db, {
      user_id: id,
      team_ids,
      unread: false,
      before: null,
      limit: MAX_NOTIFICATIONS,
    }),
    settingsView(ctx, ctx.db),
    listAuditOfPerson(ctx.db, public_id, MAX_ENTRIES),
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
      wallets: wallets.map(walletOut),
      tokens: tokens.map((row) => apiTokenOut({ ...row, ...owner }, now)),
      second_factors,
      notification_settings,
      notifications: notifications.map(notificationOut),
      audit: entries.map(toAuditEntry),
    },
  };
};
