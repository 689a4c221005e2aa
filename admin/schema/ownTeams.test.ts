import { expect, it } from 'vitest';
import { permissions } from '../../generated/api/permissions.gen';
import { describeForm } from './forms';
import { slugsWithRole } from './ownTeams';

it('offers a gateway only the teams in which the administrator can deploy', () => {
  const team = describeForm('DeployAdminAiGateway').find(({ name }) => name === 'team_id');
  expect(team).toMatchObject({ type: 'reference', reference: 'workspaces', ownPermission: 'cvms.write' });
  const teams = (['owner', 'admin', 'member', 'billing', 'viewer'] as const).map((role) => ({
    slug: `${role}-team`,
    role,
  }));
  expect(slugsWithRole(teams, permissions['cvms.write'].roles)).toEqual([
    'owner-team',
    'admin-team',
    'member-team',
  ]);
});
