import { searchText } from '../../../lib/texts/searchText';
import { MEMBERS_TABS, membersPath, type MembersTab } from '../../../lib/paths';

export interface MembersSearch {
  tab?: MembersTab | undefined;
  /** Whether the invitation dialog is open. In the address, so it can be linked and Back closes it. */
  invite?: true | undefined;
  /** The member list's search. */
  q?: string | undefined;
}

/** Each tab's title, as in the navigation and the palette. */
const TITLES: Readonly<Record<MembersTab | 'members', [title: string, subtitle: string]>> = {
  members: ['Members', 'Members and invitations'],
  roles: ['Roles', 'What each role can do'],
  security: ['Team security', 'Second factors and single sign-on'],
  webhooks: ['Webhooks', 'Team events sent to your own services'],
  audit: ['Audit log', 'Every change in this team, and who made it'],
  settings: ['Team settings', 'Name, address, data, owner and deletion'],
};
export const membersTitles = (tab: MembersTab | undefined) => TITLES[tab ?? 'members'];

export function membersSearch({ tab, invite, q }: Record<string, unknown>): MembersSearch {
  return {
    // Always present: the router merges validated values over the raw address.
    tab: MEMBERS_TABS.find((one) => one === tab),
    invite: invite === true || invite === 'true' ? true : undefined,
    q: searchText(q, 100),
  };
}

/** Returns the address of the member list. */
export function membersHref(teamSlug: string, { q, invite }: Pick<MembersSearch, 'q' | 'invite'>): string {
  const query = new URLSearchParams();
  if (q !== undefined) query.set('q', q);
  if (invite === true) query.set('invite', 'true');
  const text = query.toString();
  return membersPath(teamSlug) + (text === '' ? '' : `?${text}`);
}

export const inviteHref = (teamSlug: string) => membersHref(teamSlug, { invite: true });
