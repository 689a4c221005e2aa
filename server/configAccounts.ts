import { z } from 'zod';
import { parseNetworks, type Networks } from './domain/core/networks';
import { optional, variable, whole } from './configVariable';

const networks = z.string().transform((text, ctx): Networks => {
  const parsed = parseNetworks(text);
  if (parsed) return parsed;
  ctx.addIssue({ code: 'custom', message: 'not a list of networks' });
  return z.NEVER;
});

/** Settings for who can create an account and what a new account's teams get. */
export const ACCOUNT_VARIABLES = {
  REGISTRATION: variable({
    what: 'Who can create an account: everyone (open), invited users (invite), or only the administrator with `teehouse user create` (off).',
    defaultNote: 'open if PUBLIC_URL is this machine, else invite',
    expected: 'one of open, invite, off',
    schema: optional(z.enum(['open', 'invite', 'off'])),
  }),
  ADMIN_NETWORKS: variable({
    what: 'Networks in which platform roles apply. Elsewhere, the admin area is closed and staff are ordinary users. Behind a proxy, set TRUST_PROXY too.',
    defaultNote: 'all networks',
    expected: 'a comma-separated list of addresses and networks, for example 192.0.2.0/24,2001:db8::/32',
    schema: optional(networks),
  }),
  TEAMS_PER_USER: variable({
    what: 'Teams one user can create or own. Platform administrators have no limit.',
    default: '5',
    expected: 'a whole number from 1 to 1000',
    schema: whole(1, 1000),
  }),
  TEAM_QUOTA_CVMS: variable({
    what: "CVM quota of a new team. Quotas don't apply to teams that platform administrators create; the admin area changes each team's.",
    default: '10',
    expected: 'a whole number from 0 to 100000',
    schema: whole(0, 100_000),
  }),
  TEAM_QUOTA_VCPU: variable({
    what: 'vCPU quota of a new team.',
    default: '16',
    expected: 'a whole number from 0 to 100000',
    schema: whole(0, 100_000),
  }),
  TEAM_QUOTA_MEMORY_MB: variable({
    what: 'Memory quota of a new team, in MB.',
    default: '32768',
    expected: 'a whole number of MB, from 0 to 1000000000',
    schema: whole(0, 1_000_000_000),
  }),
  TEAM_QUOTA_DISK_GB: variable({
    what: 'Disk quota of a new team, in GB.',
    default: '400',
    expected: 'a whole number of GB, from 0 to 10000000',
    schema: whole(0, 10_000_000),
  }),
};
