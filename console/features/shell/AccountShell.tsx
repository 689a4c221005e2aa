import ArrowBackRounded from '@mui/icons-material/ArrowBackRounded';
import DevicesOutlined from '@mui/icons-material/DevicesOutlined';
import FolderOutlined from '@mui/icons-material/FolderOutlined';
import NotificationsNoneRounded from '@mui/icons-material/NotificationsNoneRounded';
import PersonOutlineRounded from '@mui/icons-material/PersonOutlineRounded';
import ShieldOutlined from '@mui/icons-material/ShieldOutlined';
import TerminalRounded from '@mui/icons-material/TerminalRounded';
import type { ReactNode } from 'react';
import { defaultTeam, useSession } from '../../api/session';
import { accountPath, teamPath } from '../../lib/paths';
import { AppFrame } from '../../ui/layout/AppFrame';
import type { NavItem } from '../../ui/layout/frameData';
import { Tabs } from '../../ui/layout/Tabs';
import { useMedia } from '../../ui/media';
import { breakpoints } from '../../ui/theme';
import { Account } from './Account';
import { ViewAsBanner } from './ViewAsBanner';

/** The frame of the account's pages: they belong to no team, so the sections are the account's own. */
export function AccountShell({
  current,
  bell,
  announcements,
  children,
}: {
  current: string;
  /** What the person is told, on top. */
  bell: ReactNode;
  /** What concerns the person on every page, under the top bar. */
  announcements?: ReactNode;
  children: ReactNode;
}) {
  const session = useSession();
  const phone = useMedia(`(max-width: ${breakpoints.phone - 0.02}px)`);
  const team = defaultTeam(session);
  const items: NavItem[] = [
    { id: 'profile', label: 'Profile', href: accountPath(), icon: <PersonOutlineRounded /> },
    { id: 'security', label: 'Security', href: accountPath('security'), icon: <ShieldOutlined /> },
    { id: 'sessions', label: 'Sessions', href: accountPath('sessions'), icon: <DevicesOutlined /> },
    { id: 'ssh-keys', label: 'SSH keys', href: accountPath('ssh-keys'), icon: <TerminalRounded /> },
    {
      id: 'notifications',
      label: 'Notifications',
      href: accountPath('notifications'),
      icon: <NotificationsNoneRounded />,
    },
    { id: 'data', label: 'Your data', href: accountPath('data'), icon: <FolderOutlined /> },
  ].map(({ id, ...item }) => ({ ...item, current: id === current }));
  const back: NavItem[] = team
    ? [{ label: `Back to ${team.name}`, href: teamPath(team.slug), icon: <ArrowBackRounded /> }]
    : [];
  return (
    <AppFrame
      homeHref={team ? teamPath(team.slug) : '/'}
      nav={[{ items: back }, { label: 'Account settings', items }].filter(({ items }) => items.length > 0)}
      crumbs={[]}
      announcements={
        <>
          {session.view_as && <ViewAsBanner viewing={session.view_as} />}
          {announcements}
        </>
      }
      notifications={bell}
      account={<Account />}
      pageKey={current}
    >
      {/* On a phone the sections are behind the menu button; here they are in sight. */}
      {phone && <Tabs label="Account settings" tabs={items} />}
      {children}
    </AppFrame>
  );
}
