import LogoutRounded from '@mui/icons-material/LogoutRounded';
import { useSession } from '../../api/session';
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
      entries={[{ id: 'sign-out', label: 'Sign out', icon: <LogoutRounded />, onSelect: signOut }]}
    />
  );
}
