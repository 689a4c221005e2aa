import AdminPanelSettingsOutlined from '@mui/icons-material/AdminPanelSettingsOutlined';
import AltRouteRounded from '@mui/icons-material/AltRouteRounded';
import AppsRounded from '@mui/icons-material/AppsRounded';
import GroupsOutlined from '@mui/icons-material/GroupsOutlined';
import KeyOutlined from '@mui/icons-material/KeyOutlined';
import RocketLaunchOutlined from '@mui/icons-material/RocketLaunchOutlined';
import { dashboardPath, deployPath, launchPath, membersPath, teamPath, tokensPath } from '../../lib/paths';
import type { NavSection } from '../../ui/layout/frameData';

/** Where one can go in a team, and which of it one is at. */
export function sections(teamSlug: string, pathname: string, staff: boolean): NavSection[] {
  const home = teamPath(teamSlug);
  const deploy = deployPath(teamSlug);
  const members = membersPath(teamSlug);
  const tokens = tokensPath(teamSlug);
  const here = pathname.replace(/(.)\/$/, '$1');
  const at = (...addresses: string[]) => addresses.includes(here);
  const apps = at(home, dashboardPath) || /^\/[^/]+\/(apps|cvms)\//.test(pathname);
  return [
    {
      items: [
        { label: 'Apps', href: home, icon: <AppsRounded />, current: apps },
        {
          label: 'Deploy',
          href: deploy,
          icon: <RocketLaunchOutlined />,
          current: at(deploy, `${dashboardPath}/deploy`),
        },
        {
          label: 'Launch',
          href: launchPath(teamSlug),
          icon: <AltRouteRounded />,
          current: at(launchPath(teamSlug), '/launch'),
        },
      ],
    },
    {
      label: 'Team',
      items: [
        { label: 'Members', href: members, icon: <GroupsOutlined />, current: at(members) },
        {
          label: 'API tokens',
          href: tokens,
          icon: <KeyOutlined />,
          current: at(tokens, `${dashboardPath}/tokens`),
        },
      ],
    },
    ...(staff
      ? [
          {
            label: 'Platform',
            items: [{ label: 'Admin', href: '/admin', icon: <AdminPanelSettingsOutlined /> }],
          },
        ]
      : []),
  ];
}
