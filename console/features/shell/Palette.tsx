import AddRounded from '@mui/icons-material/AddRounded';
import AdminPanelSettingsOutlined from '@mui/icons-material/AdminPanelSettingsOutlined';
import AltRouteRounded from '@mui/icons-material/AltRouteRounded';
import AppsRounded from '@mui/icons-material/AppsRounded';
import DarkModeOutlined from '@mui/icons-material/DarkModeOutlined';
import DnsOutlined from '@mui/icons-material/DnsOutlined';
import GroupsOutlined from '@mui/icons-material/GroupsOutlined';
import KeyOutlined from '@mui/icons-material/KeyOutlined';
import LogoutRounded from '@mui/icons-material/LogoutRounded';
import ManageAccountsOutlined from '@mui/icons-material/ManageAccountsOutlined';
import PersonAddOutlined from '@mui/icons-material/PersonAddOutlined';
import RocketLaunchOutlined from '@mui/icons-material/RocketLaunchOutlined';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useMatches } from '@tanstack/react-router';
import { useMemo, useState } from 'react';
import { listAppsOptions } from '../../../generated/api/@tanstack/react-query.gen';
import type { App, Session } from '../../../generated/api/types.gen';
import { inTeam } from '../../api/client';
import { useSession } from '../../api/session';
import { appTabs, cvmTabs } from '../../lib/cvmTabs';
import {
  accountPath,
  appPath,
  cvmAddressIn,
  cvmLink,
  cvmPath,
  deployPath,
  launchPath,
  membersPath,
  teamPath,
  tokensPath,
  type AccountSection,
  type CvmAddress,
  type MembersTab,
} from '../../lib/paths';
import { statusInfo } from '../../ui/feedback/status';
import { CommandPalette, type Command } from '../../ui/layout/CommandPalette';
import { useThemeEntries } from '../../ui/layout/Menus';
import { useSettled } from '../../ui/useSettled';
import { useSignOut } from './useSignOut';

interface Props {
  open: boolean;
  onClose: () => void;
  teamSlug: string;
  onCreateTeam: () => void;
}

/** Every page and the common actions by typing; apps and CVMs are found by the server, so also among thousands. */
export function Palette({ open, onClose, teamSlug, onCreateTeam }: Props) {
  const [query, setQuery] = useState('');
  const search = useSettled(query.trim(), 150);
  const session = useSession();
  const signOut = useSignOut();
  const themes = useThemeEntries();
  const address = useMatches({
    select: (matches) => matches.map((match) => cvmAddressIn(match.loaderData)).find(Boolean),
  });
  const appId = useMatches({
    select: (matches) =>
      matches.map(({ params }) => ('appId' in params ? params.appId : undefined)).find(Boolean),
  });
  const { data } = useQuery({
    ...listAppsOptions({
      ...inTeam(teamSlug),
      query: { page_size: 50, ...(search === '' ? {} : { search: search.slice(0, 200) }) },
    }),
    enabled: open,
    placeholderData: keepPreviousData,
  });

  const commands = useMemo<Command[]>(
    () => [
      ...pages(teamSlug, session),
      ...teamPages(teamSlug),
      ...accountPages(),
      ...cvmPages(address, session.environment.agent_framework),
      ...appPages(teamSlug, appId),
      ...(data?.dstack_apps ?? []).map((app) => appPlace(app, teamSlug)),
      ...(data?.dstack_apps ?? []).flatMap((app) => cvmPlaces(app, teamSlug)),
      ...teams(session, teamSlug),
      {
        id: 'invite',
        group: 'Actions',
        label: 'Invite a person',
        keywords: 'member add team',
        icon: <PersonAddOutlined />,
        href: `${membersPath(teamSlug)}?invite=true`,
      },
      {
        id: 'create-token',
        group: 'Actions',
        label: 'Create an API token',
        keywords: 'key new',
        icon: <KeyOutlined />,
        href: `${tokensPath(teamSlug)}?new=true`,
      },
      {
        id: 'create-team',
        group: 'Actions',
        label: 'Make a team',
        icon: <AddRounded />,
        onSelect: onCreateTeam,
      },
      ...themes.flatMap((entry): Command[] =>
        'label' in entry
          ? [
              {
                id: entry.id,
                group: 'Actions',
                label: `Theme: ${entry.label.toLowerCase()}`,
                keywords: 'dark light colour',
                icon: <DarkModeOutlined />,
                ...(entry.onSelect ? { onSelect: entry.onSelect } : {}),
              },
            ]
          : [],
      ),
      {
        id: 'sign-out',
        group: 'Actions',
        label: 'Sign out',
        keywords: 'log out',
        icon: <LogoutRounded />,
        onSelect: signOut,
      },
    ],
    // The theme entries and sign-out are made anew on every render and always do the same.
    // oxlint-disable-next-line react/exhaustive-deps
    [teamSlug, session, address, appId, data],
  );

  return (
    <CommandPalette
      open={open}
      onClose={() => {
        setQuery('');
        onClose();
      }}
      commands={commands}
      onQuery={setQuery}
      placeholder="Search apps, CVMs, pages and actions"
    />
  );
}

function pages(teamSlug: string, session: Session): Command[] {
  return [
    {
      id: 'page-home',
      group: 'Pages',
      label: 'Apps',
      keywords: 'home team',
      icon: <AppsRounded />,
      href: teamPath(teamSlug),
    },
    {
      id: 'page-deploy',
      group: 'Pages',
      label: 'Deploy an app',
      keywords: 'new create compose',
      icon: <RocketLaunchOutlined />,
      href: deployPath(teamSlug),
    },
    {
      id: 'page-launch',
      group: 'Pages',
      label: 'Launch: ways to start',
      keywords: 'new create import agent copy command line cli',
      icon: <AltRouteRounded />,
      href: launchPath(teamSlug),
    },
    ...(session.platform_role === null
      ? []
      : [
          {
            id: 'page-admin',
            group: 'Pages',
            label: 'Admin area',
            icon: <AdminPanelSettingsOutlined />,
            href: '/admin',
          },
        ]),
  ];
}

const teamTabs: [tab: MembersTab | undefined, label: string, keywords: string][] = [
  [undefined, 'Members', 'people roles invitations team'],
  ['roles', 'What each role may do', 'permissions viewer member admin owner'],
  ['security', 'Team security', 'second factor single sign-on sso'],
  ['webhooks', 'Webhooks', 'events callbacks integrations notify programs'],
  ['audit', 'Audit log', 'history who'],
  ['settings', 'Team settings', 'rename address transfer leave delete'],
];

function teamPages(teamSlug: string): Command[] {
  return [
    ...teamTabs.map(([tab, label, keywords]) => ({
      id: `members-${tab ?? 'list'}`,
      group: 'Pages',
      label,
      keywords,
      icon: <GroupsOutlined />,
      href: membersPath(teamSlug, tab),
    })),
    {
      id: 'page-tokens',
      group: 'Pages',
      label: 'API tokens',
      keywords: 'keys cli',
      icon: <KeyOutlined />,
      href: tokensPath(teamSlug),
    },
  ];
}

const accountSections: [section: AccountSection | undefined, label: string, keywords: string][] = [
  [undefined, 'Profile', 'name e-mail address password'],
  ['security', 'Account security', 'second factor authenticator totp passkey recovery codes'],
  ['sessions', 'Sessions', 'devices sign out'],
  ['ssh-keys', 'SSH keys', ''],
  ['notifications', 'Notifications', 'mail quiet hours alerts bell'],
  ['data', 'Your data', 'export delete account'],
];

function accountPages(): Command[] {
  return accountSections.map(([section, label, keywords]) => ({
    id: `account-${section ?? 'profile'}`,
    group: 'Account',
    label,
    keywords: `account settings ${keywords}`,
    icon: <ManageAccountsOutlined />,
    href: accountPath(section),
  }));
}

/** The other pages of the CVM one looks at, at the address one is at. */
function cvmPages(address: CvmAddress | undefined, agent_framework: string): Command[] {
  if (address === undefined) return [];
  return cvmTabs(agent_framework).map(({ tab, label, keywords }) => ({
    id: `tab-${tab}`,
    group: 'This CVM',
    label,
    keywords,
    icon: <DnsOutlined />,
    href: cvmLink(address, tab),
  }));
}

function appPages(teamSlug: string, appId: string | undefined): Command[] {
  if (appId === undefined) return [];
  return appTabs.map(({ tab, label, keywords }) => ({
    id: `app-tab-${tab}`,
    group: 'This app',
    label,
    keywords,
    icon: <AppsRounded />,
    href: appPath(teamSlug, appId, tab),
  }));
}

function appPlace(app: App, teamSlug: string): Command {
  return {
    id: `app-${app.app_id}`,
    group: 'Apps',
    label: app.name,
    detail: `${app.cvm_count} ${app.cvm_count === 1 ? 'CVM' : 'CVMs'}`,
    keywords: app.app_id,
    icon: <AppsRounded />,
    href: appPath(teamSlug, app.app_id),
  };
}

function cvmPlaces(app: App, teamSlug: string): Command[] {
  return app.cvms.flatMap((cvm) =>
    cvm.vm_uuid === null
      ? []
      : [
          {
            id: `cvm-${cvm.vm_uuid}`,
            group: 'CVMs',
            label: cvm.name,
            detail: statusInfo(cvm.status).word,
            keywords: [cvm.vm_uuid, cvm.instance_id, app.app_id, app.name].filter(Boolean).join(' '),
            icon: <DnsOutlined />,
            href: cvmPath(teamSlug, cvm.vm_uuid),
          },
        ],
  );
}

function teams(session: Session, teamSlug: string): Command[] {
  return session.teams
    .filter((team) => team.slug !== teamSlug)
    .map((team) => ({
      id: `team-${team.slug}`,
      group: 'Teams',
      label: team.name,
      detail: team.slug,
      keywords: 'switch team',
      icon: <GroupsOutlined />,
      href: teamPath(team.slug),
    }));
}
