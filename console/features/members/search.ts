import { membersPath, type MembersTab } from '../../lib/paths';

export interface MembersSearch {
  tab?: MembersTab | undefined;
  /** The invitation dialog is open: linkable, and Back closes it. */
  invite?: true | undefined;
}

const TABS: readonly string[] = ['roles', 'security', 'webhooks', 'audit', 'settings'] satisfies MembersTab[];

export function membersSearch({ tab, invite }: Record<string, unknown>): MembersSearch {
  return {
    // Given even when refused: the router lays what is validated over the raw address.
    tab: typeof tab === 'string' && TABS.includes(tab) ? (tab as MembersTab) : undefined,
    invite: invite === true || invite === 'true' ? true : undefined,
  };
}

export const inviteHref = (teamSlug: string) => `${membersPath(teamSlug)}?invite=true`;
