import { adminAudit, adminAuditEntry } from '../../../db/audit/adminAudit';
import { adminUsers, adminUsersWithoutEmail } from '../../../db/accounts/adminUsers';
import {
  adminApps,
  adminMembers,
  adminWorkspace,
  adminWorkspaces,
  chargedThisMonth,
} from '../../../db/teams/adminWorkspaces';
import {
  adminAppOut,
  adminAuditOut,
  adminMemberOut,
  adminUserOut,
  adminWorkspaceOut,
} from '../../../domain/accounts/adminAccountResponse';
import { formatMicros } from '../../../../console/lib/billing/money';
import { decide, subjectOf } from '../../../domain/teams/permissions';
import type { AdminResource } from './resource';

const resource = <Row, Out>(given: AdminResource<Row, Out>) => given;

export const users = resource({
  name: 'users',
  singular: 'user',
  source: adminUsersWithoutEmail,
  sourceFor: ({ caller }) =>
    decide('admin.users.pii', subjectOf(caller)) === 'allowed' ? adminUsers : adminUsersWithoutEmail,
  out: adminUserOut,
  version: (row) => row.updated_at,
});

export const workspaces = resource({
  name: 'workspaces',
  singular: 'team',
  source: adminWorkspaces,
  one: adminWorkspace,
  out: adminWorkspaceOut,
  async finish(teams, { db }) {
    const charged = await chargedThisMonth(
      db,
      teams.map(({ id }) => id),
    );
    return teams.map((team) => ({ ...team, charged_month: formatMicros(charged.get(team.id) ?? 0) }));
  },
  version: (row) => row.updated_at,
});

export const members = resource({
  name: 'members',
  singular: 'membership',
  source: adminMembers,
  out: adminMemberOut,
  version: (row) => row.created_at,
});

export const apps = resource({
  name: 'apps',
  singular: 'app',
  source: adminApps,
  out: adminAppOut,
  version: (row) => row.archived_at ?? row.created_at,
});

export const audit = resource({
  name: 'audit',
  singular: 'audit entry',
  source: adminAudit,
  one: adminAuditEntry,
  out: adminAuditOut,
  version: (row) => row.chain_checked_at ?? row.at,
});
