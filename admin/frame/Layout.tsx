import { brandName } from '../../console/ui/brand/installation';
import { LinkButton } from '../../console/ui/controls/Button';
import LogOutIcon from 'lucide-react/icons/log-out';
import ExternalLinkIcon from 'lucide-react/icons/external-link';
import { Suspense, useEffect, type ReactNode } from 'react';
import { useLocation, useNavigate, useRefresh } from 'react-admin';
import { count } from '../../console/lib/texts/count';
import { useRouteFocus } from '../../console/ui/announce';
import { adminMenuOf } from '../../console/lib/adminMenu';
import { onReconnect } from '../../console/lib/connection';
import { AppFrame } from '../../console/ui/layout/AppFrame';
import { withAdminIcons } from '../../console/ui/layout/adminIcons';
import { usePalette } from '../../console/ui/layout/usePalette';
import { AccountMenu } from '../../console/ui/layout/Menus';
import { adminMenu } from '../../generated/api/adminMenu.gen';
import { adminHref } from '../paths';
import { areaPagesOf } from '../resources';
import { signOut, useSession } from '../session';
import { useApprovals } from '../useApprovals';
import { useBreakGlass } from '../useBreakGlass';
import { BreakGlassNotices } from './BreakGlassNotices';
import { internalOf } from './RouterLink';
import { AsidePlace, SlotsProvider, useSlots } from './slots';
import { lazyWithRetry } from '../../console/ui/lazyWithRetry';

/** The menu shows the number of actions that wait for this user's approval. */
const APPROVALS_HREF = adminHref.list('finance-actions');
const APPROVALS_MS = 60_000;

const Palette = lazyWithRetry(() => import('./Palette').then((m) => ({ default: m.Palette })));

function Frame({ children }: { children: ReactNode }) {
  const session = useSession();
  // "/" focuses a list's search box.
  const palette = usePalette({ slash: false });
  const navigate = useNavigate();
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
  const title = [...steps.map((crumb) => crumb.label).reverse(), brandName()].join(' · ');
  useEffect(() => {
    document.title = title;
  }, [title]);
  const { othersTotal } = useApprovals(APPROVALS_MS);
  const menu = adminMenuOf(adminMenu, session, here).map((section) => ({
    ...section,
    items: section.items.map((item) =>
      item.href === APPROVALS_HREF && othersTotal > 0 ? { ...item, badge: count(othersTotal) } : item,
    ),
  }));
  const breakGlass = useBreakGlass();
  const refresh = useRefresh();
  useEffect(() => onReconnect(refresh), [refresh]);
  useRouteFocus(pathname, crumbs.at(-1)?.label ?? 'Admin');
  return (
    <>
      <AppFrame
        homeHref={adminHref.home}
        nav={withAdminIcons(menu)}
        navFoot={
          <LinkButton href="/" variant="text" size="small" startIcon={<ExternalLinkIcon />}>
            Back to the console
          </LinkButton>
        }
        crumbs={steps}
        onSearch={palette.open}
        account={
          <AccountMenu
            name={user?.username ?? ''}
            email={`${user?.email ?? ''} · ${platform_role ?? ''}`}
            entries={[
              {
                id: 'console',
                label: 'Console',
                icon: <ExternalLinkIcon />,
                href: '/',
              },
              {
                id: 'sign-out',
                label: 'Sign out',
                icon: <LogOutIcon />,
                onSelect: () => void signOut(),
              },
            ]}
          />
        }
        announcements={breakGlass.length > 0 ? <BreakGlassNotices open={breakGlass} /> : undefined}
        aside={asides + spares > 0 ? <AsidePlace /> : undefined}
        pageKey={`${adminHref.home}${pathname === '/' ? '' : pathname}`}
        onGo={(href) => navigate(internalOf(href))}
        userId={user?.id}
      >
        {children}
      </AppFrame>
      <Suspense fallback={null}>
        {palette.wasOpened && <Palette open={palette.isOpen} onClose={palette.close} />}
      </Suspense>
    </>
  );
}

export function Layout({ children }: { children: ReactNode }) {
  return (
    <SlotsProvider>
      <Frame>{children}</Frame>
    </SlotsProvider>
  );
}
