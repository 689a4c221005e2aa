import { MEMBERS_TABS, membersPath, teamPath } from '../lib/paths';
import type { Crumb } from '../ui/layout/frameData';
import { placeName } from '../ui/layout/recentPlaces';
import { crumbsOf, pageFault, titlesOf, type SlotMatch } from './crumbs';

/** Pages whose address has the team as a parameter. */
const OF_A_TEAM: ReadonlySet<string> = new Set([
  '/setup-billing',
  '/debt-settlement',
  '/cost',
  '/usage',
  '/transactions',
  '/dashboard/confidential-ai-api',
  '/dashboard/confidential-ai-models',
  '/dashboard/gpu-tee',
  '/dashboard/deploy/model',
]);

/**
 * Returns the breadcrumb of a page inside a team's frame, starting with the page itself if its address has the team
 * as a parameter.
 */
export function trailOf(
  team: { slug: string; name: string },
  pathname: string,
  matches: readonly SlotMatch[],
): Crumb[] {
  const crumbs = withDistinctLabels(crumbsOf(matches));
  if (!OF_A_TEAM.has(pathname)) return crumbs;
  // Some have no breadcrumb, but a title.
  const page = crumbs.length > 0 ? crumbs : titlesOf(matches).map((label) => ({ label, href: pathname }));
  return [{ label: team.name, href: teamPath(team.slug) }, ...page];
}

/** An app and its only CVM often share a name; the second is then labeled by its kind. */
const withDistinctLabels = (crumbs: readonly Crumb[]): Crumb[] =>
  crumbs.map((crumb, i) =>
    crumb.label === crumbs[i - 1]?.label && crumb.href?.includes('/cvms/')
      ? { ...crumb, label: 'CVM' }
      : crumb,
  );

/** Returns an address that opens the page again: with its team, or with its tab if that has its own title. */
export function placeOf(teamSlug: string, pathname: string, tab: string | null): string {
  if (pathname === membersPath(teamSlug))
    return membersPath(
      teamSlug,
      MEMBERS_TABS.find((one) => one === tab),
    );
  return OF_A_TEAM.has(pathname) ? `${pathname}?team=${encodeURIComponent(teamSlug)}` : pathname;
}

/** Returns the page's name in the list of recent pages, without the team's; empty if it isn't listed there. */
export function placeNameOf(teamSlug: string, pathname: string, matches: readonly SlotMatch[]): string {
  if (pageFault(matches) !== null) return '';
  const crumbs = crumbsOf(matches);
  const isTeam = crumbs[0]?.href === teamPath(teamSlug);
  const steps = (isTeam ? crumbs.slice(1) : crumbs).map(({ label }) => label);
  // Pages without a breadcrumb have a title.
  return placeName(steps.length === 0 && OF_A_TEAM.has(pathname) ? titlesOf(matches) : steps);
}
