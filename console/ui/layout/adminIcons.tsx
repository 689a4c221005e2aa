import ActivityIcon from 'lucide-react/icons/activity';
import BellRingIcon from 'lucide-react/icons/bell-ring';
import BookmarkIcon from 'lucide-react/icons/bookmark';
import BotIcon from 'lucide-react/icons/bot';
import BugIcon from 'lucide-react/icons/bug';
import Building2Icon from 'lucide-react/icons/building-2';
import BanknoteIcon from 'lucide-react/icons/banknote';
import ChartColumnIcon from 'lucide-react/icons/chart-column';
import CircuitBoardIcon from 'lucide-react/icons/circuit-board';
import ContactIcon from 'lucide-react/icons/contact';
import CpuIcon from 'lucide-react/icons/cpu';
import Disc3Icon from 'lucide-react/icons/disc-3';
import HardDriveIcon from 'lucide-react/icons/hard-drive';
import FlagIcon from 'lucide-react/icons/flag';
import GiftIcon from 'lucide-react/icons/gift';
import HeartPulseIcon from 'lucide-react/icons/heart-pulse';
import KeyRoundIcon from 'lucide-react/icons/key-round';
import KeySquareIcon from 'lucide-react/icons/key-square';
import LayersIcon from 'lucide-react/icons/layers';
import LayoutDashboardIcon from 'lucide-react/icons/layout-dashboard';
import LayoutGridIcon from 'lucide-react/icons/layout-grid';
import LayoutTemplateIcon from 'lucide-react/icons/layout-template';
import ListIcon from 'lucide-react/icons/list';
import ListChecksIcon from 'lucide-react/icons/list-checks';
import LogOutIcon from 'lucide-react/icons/log-out';
import MailIcon from 'lucide-react/icons/mail';
import MapIcon from 'lucide-react/icons/map';
import MegaphoneIcon from 'lucide-react/icons/megaphone';
import ReceiptIcon from 'lucide-react/icons/receipt';
import ScaleIcon from 'lucide-react/icons/scale';
import ScrollTextIcon from 'lucide-react/icons/scroll-text';
import SendIcon from 'lucide-react/icons/send';
import ServerIcon from 'lucide-react/icons/server';
import WaypointsIcon from 'lucide-react/icons/waypoints';
import ArrowLeftRightIcon from 'lucide-react/icons/arrow-left-right';
import StampIcon from 'lucide-react/icons/stamp';
import TagsIcon from 'lucide-react/icons/tags';
import CalendarCheckIcon from 'lucide-react/icons/calendar-check';
import BrainIcon from 'lucide-react/icons/brain';
import CloudIcon from 'lucide-react/icons/cloud';
import NetworkIcon from 'lucide-react/icons/network';
import ReceiptTextIcon from 'lucide-react/icons/receipt-text';
import Settings2Icon from 'lucide-react/icons/settings-2';
import SlidersIcon from 'lucide-react/icons/sliders-horizontal';
import TagIcon from 'lucide-react/icons/tag';
import TicketPercentIcon from 'lucide-react/icons/ticket-percent';
import UsersIcon from 'lucide-react/icons/users';
import WrenchIcon from 'lucide-react/icons/wrench';
import type { AdminMenuSection } from '../../lib/adminMenu';
import { ownValue } from '../../lib/ownValue';
import type { NavSection } from './frameData';

/** Keyed by the last segment of the address. */
const ICONS = {
  'instance-events': <ActivityIcon />,
  cvms: <ServerIcon />,
  apps: <LayoutGridIcon />,
  users: <UsersIcon />,
  workspaces: <Building2Icon />,
  members: <ContactIcon />,
  usage: <ReceiptIcon />,
  infra: <MapIcon />,
  nodes: <HardDriveIcon />,
  teepods: <CpuIcon />,
  gateways: <NetworkIcon />,
  gpus: <CircuitBoardIcon />,
  kms: <KeyRoundIcon />,
  drains: <LogOutIcon />,
  'maintenance-windows': <WrenchIcon />,
  'os-images': <Disc3Icon />,
  'instance-types': <TagsIcon />,
  templates: <LayoutTemplateIcon />,
  'ai-gateways': <WaypointsIcon />,
  'ai-upstreams': <CloudIcon />,
  'ai-models': <BrainIcon />,
  'ai-keys': <KeySquareIcon />,
  'ai-usage': <ChartColumnIcon />,
  announcements: <MegaphoneIcon />,
  'abuse-reports': <FlagIcon />,
  'billing-settings': <SlidersIcon />,
  invoices: <ReceiptTextIcon />,
  settings: <Settings2Icon />,
  transactions: <ArrowLeftRightIcon />,
  credits: <GiftIcon />,
  'finance-actions': <StampIcon />,
  ledger: <ScaleIcon />,
  payments: <BanknoteIcon />,
  'promotion-codes': <TicketPercentIcon />,
  orders: <CalendarCheckIcon />,
  'order-products': <TagIcon />,
  'monitoring-events': <BugIcon />,
  outbox: <MailIcon />,
  'bulk-jobs': <ListChecksIcon />,
  views: <BookmarkIcon />,
  'queue-workers': <LayersIcon />,
  workers: <HeartPulseIcon />,
  alerts: <BellRingIcon />,
  audit: <ScrollTextIcon />,
  'audit-destinations': <SendIcon />,
  admin: <LayoutDashboardIcon />,
};

function iconOf(href: string) {
  const last = href.split('/').at(-1) ?? '';
  // This page is named after the configured chat service.
  return last.endsWith('-integration') ? <BotIcon /> : (ownValue(ICONS, last) ?? <ListIcon />);
}

/** Adds icons to the admin area's menu; entries below others have none. */
export const withAdminIcons = (sections: readonly AdminMenuSection[]): NavSection[] =>
  sections.map((section) => ({
    ...section,
    items: section.items.map((item) =>
      item.parent === undefined ? { ...item, icon: iconOf(item.href) } : item,
    ),
  }));
