import BrainIcon from 'lucide-react/icons/brain';
import GpuIcon from 'lucide-react/icons/gpu';
import HandCoinsIcon from 'lucide-react/icons/hand-coins';
import KeyRoundIcon from 'lucide-react/icons/key-round';
import ReceiptIcon from 'lucide-react/icons/receipt';
import RocketIcon from 'lucide-react/icons/rocket';
import UserPlusIcon from 'lucide-react/icons/user-plus';
import UsersIcon from 'lucide-react/icons/users';
import WaypointsIcon from 'lucide-react/icons/waypoints';
import type { Permission } from '../api/session';
import { modelsHref } from '../lib/ai/addresses';
import { startWayNames, startWayPath, startWays } from '../lib/apps/startWays';
import { ownValue } from '../lib/ownValue';
import { debtPath, invoicesPath, launchPath, membersPath, ordersPath, tokensPath } from '../lib/paths';
import type { Command } from '../ui/layout/CommandPalette';
import { sections, type Viewer } from './sections';

/** Synonyms for the navigation's entries, and a longer label if the entry's is unclear without its neighbors. */
const PAGES: Readonly<Record<string, { label?: string; keywords: string }>> = {
  Apps: { keywords: 'home team' },
  Deploy: { label: 'Deploy an app', keywords: 'new create compose' },
  'Confidential AI': { keywords: 'models chat playground gateway keys llm openai' },
  'GPU TEE': { keywords: 'gpus reserve order nvidia' },
  Members: { keywords: 'users roles invitations team' },
  'API tokens': { keywords: 'keys cli' },
  Billing: { keywords: 'add funds pay payment card balance credits top up' },
  Cost: { keywords: 'spend forecast budgets' },
  Usage: { keywords: 'hours vcpu memory disk csv excel' },
  Transactions: { keywords: 'ledger statement payments history' },
  Webhooks: { keywords: 'events callbacks integrations notify programs' },
  'Audit log': { keywords: 'history who' },
  'Team settings': { keywords: 'rename address transfer leave delete' },
  Admin: { label: 'Admin area', keywords: 'staff platform' },
};

/** Every page of the team: the navigation's entries, and pages and tabs without an entry. */
export function teamPages(teamSlug: string, viewer: Viewer): Command[] {
  const entries = sections(teamSlug, '', null, viewer).flatMap(({ items }) => items);
  return [
    ...entries.map(({ label, href, icon }) => {
      const { label: longer = label, keywords = '' } = ownValue(PAGES, label) ?? {};
      return { id: `page-${href}`, group: 'Pages', label: longer, keywords, icon, href };
    }),
    {
      id: 'page-models',
      group: 'Pages',
      label: 'Confidential AI models',
      keywords: 'catalog prices context try llm',
      icon: <BrainIcon />,
      href: modelsHref({ team: teamSlug }),
    },
    ...(viewer.permissions.includes('billing.read') ? moneyPages(teamSlug) : []),
    {
      id: 'page-roles',
      group: 'Pages',
      label: 'What each role can do',
      keywords: 'permissions viewer member admin owner',
      icon: <UsersIcon />,
      href: membersPath(teamSlug, 'roles'),
    },
    {
      id: 'page-security',
      group: 'Pages',
      label: 'Team security',
      keywords: 'second factor single sign-on sso',
      icon: <UsersIcon />,
      href: membersPath(teamSlug, 'security'),
    },
  ];
}

const moneyPages = (teamSlug: string): Command[] => [
  {
    id: 'page-invoices',
    group: 'Pages',
    label: 'Invoices',
    keywords: 'pdf bill credit notes transactions',
    icon: <ReceiptIcon />,
    href: invoicesPath(teamSlug),
  },
  {
    id: 'page-reservations',
    group: 'Pages',
    label: 'Reservations',
    keywords: 'orders gpus cost',
    icon: <GpuIcon />,
    href: ordersPath(teamSlug),
  },
  {
    id: 'page-debt',
    group: 'Pages',
    label: 'Debt settlement',
    keywords: 'owed overdue due pay settle',
    icon: <HandCoinsIcon />,
    href: debtPath(teamSlug),
  },
];

/** The launch page and each launch option; the deploy page is among the pages. */
export const startCommands = (teamSlug: string): Command[] => [
  {
    id: 'start',
    group: 'Deploy an app',
    label: 'All ways to deploy an app',
    keywords: 'new create start launch',
    icon: <WaypointsIcon />,
    href: launchPath(teamSlug),
  },
  ...startWays
    .filter((way) => way !== 'compose')
    .map((way) => ({
      id: `start-${way}`,
      group: 'Deploy an app',
      label: `Deploy from ${startWayNames[way].replace(/^(An?|The|Local) /, (word) => word.toLowerCase())}`,
      keywords: `new create start launch import ${way}`,
      icon: <RocketIcon />,
      href: startWayPath(teamSlug, way),
    })),
];

/** What the user's role allows to create in the team, besides apps. */
export const memberActions = (teamSlug: string, permissions: readonly Permission[]): Command[] => [
  ...(permissions.includes('team.members')
    ? [
        {
          id: 'invite',
          group: 'Actions',
          label: 'Invite member',
          keywords: 'member add team',
          icon: <UserPlusIcon />,
          href: `${membersPath(teamSlug)}?invite=true`,
        },
      ]
    : []),
  ...(permissions.includes('tokens.write')
    ? [
        {
          id: 'create-token',
          group: 'Actions',
          label: 'Create API token',
          keywords: 'key new',
          icon: <KeyRoundIcon />,
          href: `${tokensPath(teamSlug)}?new=true`,
        },
      ]
    : []),
];
