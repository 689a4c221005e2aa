import LogOutIcon from 'lucide-react/icons/log-out';
import UserCogIcon from 'lucide-react/icons/user-cog';
import { useSession } from '../api/session';
import { accountPath } from '../lib/paths';
import { AccountMenu } from '../ui/layout/Menus';
import { useSignOut } from './useSignOut';

export function Account() {
  const { user } = useSession();
  const signOut = useSignOut();
  if (!user) return null;
  return (
    <AccountMenu
      name={user.username}
      email={user.email}
      entries={[
        {
          id: 'settings',
          label: 'Account settings',
          icon: <UserCogIcon />,
          href: accountPath(),
        },
        { id: 'sign-out', label: 'Sign out', icon: <LogOutIcon />, onSelect: signOut },
      ]}
    />
  );
}
