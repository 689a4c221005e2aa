import { membersPath, type MembersTab } from '../lib/paths';

/** Pages whose address names the team as a parameter. */
const OF_A_TEAM: ReadonlySet<string> = new Set([
  '/setup-billing',
  '/debt-settlement',
  '/cost',
  '/usage',
  '/transactions',
  '/dashboard/confidential-ai-api',
  '/dashboard/gpu-tee',
  '/dashboard/deploy/model',
]);

/** Returns the address that opens the page again: with its team, or its tab if that has a title of its own. */
export function placeOf(teamSlug: string, pathname: string, tab: string | null): string {
  if (tab !== null && pathname === membersPath(teamSlug)) return membersPath(teamSlug, tab as MembersTab);
  return OF_A_TEAM.has(pathname) ? `${pathname}?team=${encodeURIComponent(teamSlug)}` : pathname;
}
