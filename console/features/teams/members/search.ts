import { membersPath, type MembersTab } from '../../../lib/paths';

export interface MembersSearch {
  tab?: MembersTab | undefined;
  /** Whether the invitation dialog is open. In the address, so it can be linked and Back closes it. */
  invite?: true | undefined;
}

const TABS: readonly string[] = ['roles', 'security', 'webhooks', 'audit', 'settings'] satisfies MembersTab[];

export function membersSearch({ tab, invite }: Record<string, unknown>): MembersSearch {
  return {
    // Always present: the router merges validated values over the raw address.
    tab: typeof tab === 'string' && TABS.includes(tab) ? (tab as MembersTab) : undefined,
    invite: invite === true || invite === 'true' ? true : undefined,
  };
}

export const inviteHref = (teamSlug: string) => `${membersPath(teamSlug)}?invite=true`;
