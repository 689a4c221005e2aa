import LogoutRounded from '@mui/icons-material/LogoutRounded';
import ManageAccountsOutlined from '@mui/icons-material/ManageAccountsOutlined';
import { useSession } from '../../api/session';
import { accountPath } from '../../lib/paths';
import { AccountMenu } from '../../ui/layout/Menus';
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
          icon: <ManageAccountsOutlined />,
          href: accountPath(),
        },
        { id: 'sign-out', label: 'Sign out', icon: <LogoutRounded />, onSelect: signOut },
      ]}
    />
  );
}
