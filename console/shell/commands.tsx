import ShieldUserIcon from 'lucide-react/icons/shield-user';
import HistoryIcon from 'lucide-react/icons/history';
import ServerIcon from 'lucide-react/icons/server';
import UsersIcon from 'lucide-react/icons/users';
import LogOutIcon from 'lucide-react/icons/log-out';
import UserCogIcon from 'lucide-react/icons/user-cog';
import { adminMenu } from '../../generated/api/adminMenu.gen';
import type { Session } from '../../generated/api/types.gen';
import { adminMenuOf } from '../lib/adminMenu';
import { cvmTabs } from '../lib/cvms/cvmTabs';
import { accountPath, cvmLink, teamPath, type AccountSection, type CvmAddress } from '../lib/paths';
import type { Place } from '../ui/layout/recentPlaces';
import type { Command } from '../ui/layout/CommandPalette';

/** Commands shared by the palettes of several areas. */

const accountSections: [section: AccountSection | undefined, label: string, keywords: string][] = [
  [undefined, 'Profile', 'name email address password'],
  ['security', 'Account security', 'second factor authenticator totp passkey recovery codes pinned kms keys'],
  ['sso', 'Single sign-on', 'linked providers unlink'],
  ['sessions', 'Sessions', 'devices sign out'],
  ['ssh-keys', 'SSH keys', ''],
  ['wallets', 'Wallets', 'ethereum address link'],
  ['notifications', 'Notifications', 'mail quiet hours alerts bell'],
  ['data', 'Your data', 'export delete account'],
];

export function accountPages(): Command[] {
  return accountSections.map(([section, label, keywords]) => ({
    id: `account-${section ?? 'profile'}`,
    group: 'Account',
    label,
    keywords: `account settings ${keywords}`,
    icon: <UserCogIcon />,
    href: accountPath(section),
  }));
}

/** Recently visited pages; shown while the query is empty. */
export const recentCommands = (places: readonly Place[]): Command[] =>
  places.map(({ href, label }) => ({
    id: `recent-${href}`,
    group: 'Recent',
    label,
    icon: <HistoryIcon />,
    href,
  }));

/** The CVM's other pages, under the current address. */
export function cvmPages(address: CvmAddress | undefined, agent_framework: string): Command[] {
  if (address === undefined) return [];
  return cvmTabs(agent_framework).map(({ tab, label, keywords }) => ({
    id: `tab-${tab}`,
    group: 'This CVM',
    label,
    keywords,
    icon: <ServerIcon />,
    href: cvmLink(address, tab),
  }));
}

/** Teams to switch to, without the current one. */
export function teams(session: Session, teamSlug?: string): Command[] {
  return session.teams
    .filter((team) => team.slug !== teamSlug)
    .map((team) => ({
      id: `team-${team.slug}`,
      group: 'Teams',
      label: team.name,
      detail: team.slug,
      keywords: 'switch team',
      icon: <UsersIcon />,
      href: teamPath(team.slug),
    }));
}

/** The admin pages the user can open; empty for everyone else. */
export function adminPages(session: Session): Command[] {
  if (session.platform_role === null) return [];
  return adminMenuOf(adminMenu, session, '').flatMap(({ label: section, items }) =>
    items.map(({ label, href }) => ({
      id: `admin-${href}`,
      group: 'Admin',
      label,
      keywords: `admin ${section ?? ''}`,
      ...(section === undefined ? {} : { detail: section }),
      icon: <ShieldUserIcon />,
      href,
    })),
  );
}

export const signOutCommand = (signOut: () => void): Command => ({
  id: 'sign-out',
  group: 'Actions',
  label: 'Sign out',
  keywords: 'log out',
  icon: <LogOutIcon />,
  onSelect: signOut,
});
