import MonitorSmartphoneIcon from 'lucide-react/icons/monitor-smartphone';
import FolderIcon from 'lucide-react/icons/folder';
import KeyRoundIcon from 'lucide-react/icons/key-round';
import BellIcon from 'lucide-react/icons/bell';
import UserIcon from 'lucide-react/icons/user';
import ShieldIcon from 'lucide-react/icons/shield';
import SquareTerminalIcon from 'lucide-react/icons/square-terminal';
import WalletIcon from 'lucide-react/icons/wallet';
import { accountPath } from '../lib/paths';
import type { NavItem } from '../ui/layout/frameData';

/** Returns the account's pages with the current one marked. */
export const accountSections = (current: string): NavItem[] =>
  [
    { id: 'profile', label: 'Profile', href: accountPath(), icon: <UserIcon /> },
    { id: 'security', label: 'Security', href: accountPath('security'), icon: <ShieldIcon /> },
    { id: 'sso', label: 'Single sign-on', href: accountPath('sso'), icon: <KeyRoundIcon /> },
    { id: 'sessions', label: 'Sessions', href: accountPath('sessions'), icon: <MonitorSmartphoneIcon /> },
    { id: 'ssh-keys', label: 'SSH keys', href: accountPath('ssh-keys'), icon: <SquareTerminalIcon /> },
    { id: 'wallets', label: 'Wallets', href: accountPath('wallets'), icon: <WalletIcon /> },
    {
      id: 'notifications',
      label: 'Notifications',
      href: accountPath('notifications'),
      icon: <BellIcon />,
    },
    { id: 'data', label: 'Your data', href: accountPath('data'), icon: <FolderIcon /> },
  ].map(({ id, ...item }) => ({ ...item, current: id === current }));
