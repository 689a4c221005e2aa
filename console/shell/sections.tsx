import ShieldUserIcon from 'lucide-react/icons/shield-user';
import LayoutGridIcon from 'lucide-react/icons/layout-grid';
import UsersIcon from 'lucide-react/icons/users';
import KeyRoundIcon from 'lucide-react/icons/key-round';
import ScrollTextIcon from 'lucide-react/icons/scroll-text';
import SettingsIcon from 'lucide-react/icons/settings';
import WebhookIcon from 'lucide-react/icons/webhook';
import CreditCardIcon from 'lucide-react/icons/credit-card';
import ChartColumnIcon from 'lucide-react/icons/chart-column';
import ChartPieIcon from 'lucide-react/icons/chart-pie';
import GpuIcon from 'lucide-react/icons/gpu';
import SparklesIcon from 'lucide-react/icons/sparkles';
import ReceiptIcon from 'lucide-react/icons/receipt';
import type { ReactNode } from 'react';
import RocketIcon from 'lucide-react/icons/rocket';
import {
  aiPath,
  billingPath,
  costPath,
  dashboardPath,
  deployPath,
  gpuPath,
  launchPath,
  membersPath,
  teamPath,
  tokensPath,
  transactionsPath,
  usagePath,
  type MembersTab,
} from '../lib/paths';
import type { Permission } from '../api/session';
import type { NavSection } from '../ui/layout/frameData';

/** Tabs of the members page that have their own menu entry. */
const OWN_ENTRIES: ReadonlySet<string> = new Set<MembersTab>(['webhooks', 'audit', 'settings']);

/** The user viewing the navigation, which hides entries without access. */
export interface Viewer {
  staff: boolean;
  /** What their role in the team allows. */
  permissions: readonly Permission[];
}

/** Returns the team's navigation with the current section marked. */
export function sections(
  teamSlug: string,
  pathname: string,
  tab: string | null,
  { staff, permissions }: Viewer,
): NavSection[] {
  const may = (permission: Permission) => permissions.includes(permission);
  const home = teamPath(teamSlug);
  const deploy = deployPath(teamSlug);
  const members = membersPath(teamSlug);
  const tokens = tokensPath(teamSlug);
  const here = pathname.replace(/(.)\/$/, '$1');
  const at = (...addresses: string[]) => addresses.includes(here);
  const apps = at(home, dashboardPath) || /^\/[^/]+\/(apps|cvms)\//.test(pathname);
  const entry = (own: MembersTab, label: string, icon: ReactNode) => ({
    label,
    href: membersPath(teamSlug, own),
    icon,
    current: at(members) && tab === own,
  });
  return [
    {
      items: [
        { label: 'Apps', href: home, icon: <LayoutGridIcon />, current: apps },
        {
          label: 'Deploy',
          href: deploy,
          icon: <RocketIcon />,
          // Launch has no menu entry: the team's home links to it.
          current: at(deploy, `${dashboardPath}/deploy`, launchPath(teamSlug), '/launch'),
        },
        {
          label: 'Confidential AI',
          href: aiPath(teamSlug),
          icon: <SparklesIcon />,
          current: at(`${dashboardPath}/confidential-ai-api`, `${dashboardPath}/confidential-ai-models`),
        },
        {
          label: 'GPU TEE',
          href: gpuPath(teamSlug),
          icon: <GpuIcon />,
          current: at(`${dashboardPath}/gpu-tee`),
        },
      ],
    },
    {
      label: 'Team',
      items: [
        {
          label: 'Members',
          href: members,
          icon: <UsersIcon />,
          current: at(members) && !(tab !== null && OWN_ENTRIES.has(tab)),
        },
        ...(may('tokens.read')
          ? [
              {
                label: 'API tokens',
                href: tokens,
                icon: <KeyRoundIcon />,
                current: at(tokens, `${dashboardPath}/tokens`),
              },
            ]
          : []),
        ...(may('billing.read') ? moneyEntries(teamSlug, at) : []),
        ...(may('webhooks.read') ? [entry('webhooks', 'Webhooks', <WebhookIcon />)] : []),
        ...(may('team.audit') ? [entry('audit', 'Audit log', <ScrollTextIcon />)] : []),
        entry('settings', 'Team settings', <SettingsIcon />),
      ],
    },
    ...(staff
      ? [
          {
            label: 'Platform',
            items: [{ label: 'Admin', href: '/admin', icon: <ShieldUserIcon /> }],
          },
        ]
      : []),
  ];
}

const moneyEntries = (teamSlug: string, at: (...addresses: string[]) => boolean): NavSection['items'] => [
  {
    label: 'Billing',
    href: billingPath(teamSlug),
    icon: <CreditCardIcon />,
    current: at('/setup-billing'),
  },
  {
    label: 'Cost',
    href: costPath(teamSlug),
    icon: <ChartPieIcon />,
    current: at('/cost'),
  },
  {
    label: 'Usage',
    href: usagePath(teamSlug),
    icon: <ChartColumnIcon />,
    current: at('/usage'),
  },
  {
    label: 'Transactions',
    href: transactionsPath(teamSlug),
    icon: <ReceiptIcon />,
    current: at('/transactions'),
  },
];
