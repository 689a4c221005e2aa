import LogoutRounded from '@mui/icons-material/LogoutRounded';
import OpenInNewRounded from '@mui/icons-material/OpenInNewRounded';
import { useEffect, type ReactNode } from 'react';
import { useLocation } from 'react-admin';
import { useRouteFocus } from '../../console/ui/announce';
import { LinkButton } from '../../console/ui/controls/LinkButton';
import { AppFrame } from '../../console/ui/layout/AppFrame';
import type { NavSection } from '../../console/ui/layout/frameData';
import { AccountMenu } from '../../console/ui/layout/Menus';
import { adminHref } from '../paths';
import { areaPages, areaPagesOf, type AreaPage } from '../resources';
import { resources } from '../schema/resources';
import { groupsInOrder, words } from '../schema/labels';
import { signOut, useSession } from '../session';
import { AsidePlace, SlotsProvider, useSlots } from './slots';

/** The menu: what this person may list, by group of the document. */
export function menuOf(
  permissions: readonly string[],
  current: string,
  pagesOfArea: readonly AreaPage[] = areaPages,
): NavSection[] {
  const shown = resources.filter(
    ({ permissions: { list } }) => list !== undefined && permissions.includes(list),
  );
  const pages = pagesOfArea.filter(({ permission }) => permissions.includes(permission));
  const groups = groupsInOrder([...shown, ...pages].map(({ group }) => group));
  return [
    { items: [{ label: 'Overview', href: adminHref.home, current: current === '' }] },
    ...groups.map((group) => ({
      label: words(group),
      items: [
        ...pages
          .filter((page) => page.group === group)
          .map(({ label, path }) => ({
            label,
            href: `${adminHref.home}/${path}`,
            current: current === path,
          })),
        ...shown
          .filter((resource) => resource.group === group)
          .map((resource) => ({
            label: resource.label,
            href: adminHref.list(resource.name),
            current: current === resource.name,
          })),
      ],
    })),
  ];
}

function Frame({ children }: { children: ReactNode }) {
  const session = useSession();
  const { user, platform_permissions, platform_role } = session;
  const own = areaPagesOf(session);
  const { crumbs, asides, spares } = useSlots();
  const { pathname } = useLocation();
  const path = pathname.slice(1);
  const [first = ''] = path.split('/');
  const here = own.some((page) => page.path === path) ? path : first;
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
      nav={menuOf(platform_permissions, here, own)}
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
