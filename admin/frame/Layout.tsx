import LogoutRounded from '@mui/icons-material/LogoutRounded';
import OpenInNewRounded from '@mui/icons-material/OpenInNewRounded';
import { useEffect, type ReactNode } from 'react';
import { useLocation } from 'react-admin';
import { useRouteFocus } from '../../console/ui/announce';
import { adminMenuOf } from '../../console/lib/adminMenu';
import { LinkButton } from '../../console/ui/controls/LinkButton';
import { AppFrame } from '../../console/ui/layout/AppFrame';
import { AccountMenu } from '../../console/ui/layout/Menus';
import { adminMenu } from '../../generated/api/adminMenu.gen';
import { adminHref } from '../paths';
import { areaPagesOf } from '../resources';
import { signOut, useSession } from '../session';
import { AsidePlace, SlotsProvider, useSlots } from './slots';

function Frame({ children }: { children: ReactNode }) {
  const session = useSession();
  const { user, platform_role } = session;
  const own = areaPagesOf(session);
  const { crumbs, asides, spares } = useSlots();
  const { pathname } = useLocation();
  const path = pathname.slice(1);
  const [first = ''] = path.split('/');
  const page = own.find((one) => one.path === path);
  const here = page
    ? `${adminHref.home}/${page.path}`
    : first === ''
      ? adminHref.home
      : adminHref.list(first);
  const steps = [{ label: 'Admin', href: adminHref.home }, ...crumbs];
  const title = [...steps.map((crumb) => crumb.label).reverse(), 'Teehouse'].join(' · ');
  useEffect(() => {
    document.title = title;
  }, [title]);
  useRouteFocus(pathname, crumbs.at(-1)?.label ?? 'Admin');
  return (
    <AppFrame
      brandName="Teehouse"
      homeHref={adminHref.home}
      nav={adminMenuOf(adminMenu, session, here)}
      navFoot={
        <LinkButton href="/" variant="text" size="small" startIcon={<OpenInNewRounded />}>
          Back to the console
        </LinkButton>
      }
      crumbs={steps}
      account={
        <AccountMenu
          name={user?.username ?? ''}
          email={`${user?.email ?? ''} · ${platform_role ?? ''}`}
          entries={[
            { id: 'console', label: 'Console', icon: <OpenInNewRounded />, href: '/' },
            { id: 'sign-out', label: 'Sign out', icon: <LogoutRounded />, onSelect: () => void signOut() },
          ]}
        />
      }
      aside={asides + spares > 0 ? <AsidePlace /> : undefined}
      pageKey={pathname}
    >
      {children}
    </AppFrame>
  );
}

export function Layout({ children }: { children: ReactNode }) {
  return (
    <SlotsProvider>
      <Frame>{children}</Frame>
    </SlotsProvider>
  );
}
