import PlusIcon from 'lucide-react/icons/plus';
import HistoryIcon from 'lucide-react/icons/history';
import ListIcon from 'lucide-react/icons/list';
import LogOutIcon from 'lucide-react/icons/log-out';
import UserCogIcon from 'lucide-react/icons/user-cog';
import ExternalLinkIcon from 'lucide-react/icons/external-link';
import { useState } from 'react';
import { useLocation } from 'react-admin';
import type { Session } from '../../generated/api/types.gen';
import { adminMenu } from '../../generated/api/adminMenu.gen';
import { adminMenuOf } from '../../console/lib/adminMenu';
import { accountPath, teamPath } from '../../console/lib/paths';
import { CommandPalette, type Command } from '../../console/ui/layout/CommandPalette';
import { withAdminIcons } from '../../console/ui/layout/adminIcons';
import { useRecentPlaces, type Place } from '../../console/ui/layout/recentPlaces';
import { useThemeCommands } from '../../console/ui/layout/useThemeCommands';
import { adminHref } from '../paths';
import { createLabel } from '../schema/labels';
import { resources } from '../schema/resources';
import { mayWith, signOut, useSession } from '../session';
import { useRecordSearch } from './useRecordSearch';

/** Command palette: records of every team, the admin pages the user may open, and common actions. */
export function Palette({ open, onClose }: { open: boolean; onClose: () => void }) {
  const [query, setQuery] = useState('');
  const session = useSession();
  const { records, isSearching } = useRecordSearch(query);
  const { pathname } = useLocation();
  const recent = useRecentPlaces(session.user?.id, `${adminHref.home}${pathname === '/' ? '' : pathname}`);
  const themes = useThemeCommands();
  return (
    <CommandPalette
      open={open}
      onClose={() => {
        setQuery('');
        onClose();
      }}
      onQuery={setQuery}
      isSearching={isSearching}
      placeholder="Search users, teams, CVMs, hosts and pages"
      commands={[
        ...(query.trim() === '' ? recentCommands(recent) : []),
        ...records,
        ...adminCommands(session),
        ...themes,
        {
          id: 'sign-out',
          group: 'Actions',
          label: 'Sign out',
          keywords: 'log out',
          icon: <LogOutIcon />,
          onSelect: () => void signOut(),
        },
      ]}
    />
  );
}

const LIST_ICON = <ListIcon />;
const RECENT_ICON = <HistoryIcon />;

const recentCommands = (places: readonly Place[]): Command[] =>
  places.map(({ href, label }) => ({
    id: `recent-${href}`,
    group: 'Recent',
    label,
    icon: RECENT_ICON,
    href,
  }));

/** Menu pages, permitted create actions and links to the console. */
export function adminCommands(session: Session): Command[] {
  const { platform_permissions, teams } = session;
  return [
    ...withAdminIcons(adminMenuOf(adminMenu, session, '')).flatMap(({ label: section, items }) =>
      items.map(({ label, href, icon }) => ({
        id: `page-${href}`,
        group: 'Pages',
        label,
        ...(section === undefined ? {} : { detail: section, keywords: section }),
        icon: icon ?? LIST_ICON,
        href,
      })),
    ),
    ...resources
      .filter(({ permissions }) => mayWith(platform_permissions, permissions.create))
      .map((resource) => ({
        id: `new-${resource.name}`,
        group: 'Actions',
        label: createLabel(resource),
        keywords: `add new create ${resource.label}`,
        icon: <PlusIcon />,
        href: adminHref.create(resource.name),
      })),
    {
      id: 'console',
      group: 'Console',
      label: 'Back to the console',
      icon: <ExternalLinkIcon />,
      href: '/',
    },
    {
      id: 'account',
      group: 'Console',
      label: 'Account settings',
      keywords: 'profile password security',
      icon: <UserCogIcon />,
      href: accountPath(),
    },
    ...teams.map((team) => ({
      id: `team-${team.slug}`,
      group: 'Console',
      label: team.name,
      detail: team.slug,
      keywords: 'team',
      icon: <ExternalLinkIcon />,
      href: teamPath(team.slug),
    })),
  ];
}
