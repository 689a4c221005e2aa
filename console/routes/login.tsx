import { createFileRoute, useLocation } from '@tanstack/react-router';
import { Suspense } from 'react';
import { useSession } from '../api/session';
import { LoginPage } from '../features/accounts/auth/LoginPage';
import { SsoButton } from '../features/teams/sso/SsoButton';
import { SsoDiscovery } from '../features/teams/sso/SsoDiscovery';
import { importWithRetry } from '../lib/importWithRetry';
import { breakGlassToken } from '../lib/paths';
import { lazyWithRetry } from '../ui/lazyWithRetry';
import { nextOf, requireVisitor } from './-next';

/** Administrators open it in an emergency, so its code isn't part of the usual page. */
const BreakGlassPage = lazyWithRetry(() =>
  import('../features/accounts/auth/BreakGlassPage').then((m) => ({ default: m.BreakGlassPage })),
);

export const Route = createFileRoute('/login')({
  validateSearch: (search: Record<string, unknown>) => ({
    ...nextOf(search),
    sso_error: typeof search.sso_error === 'string' ? search.sso_error.slice(0, 40) : undefined,
    ended: search.ended === true ? true : undefined,
    deleted: search.deleted === true ? true : undefined,
  }),
  // Members redirected here by a team that requires single sign-on are signed in, but must still see why it failed.
  beforeLoad: ({ context, search, location }) => {
    // Staff whose role isn't active in this session are also signed in.
    if (search.sso_error === undefined && breakGlassToken(location.hash) === null)
      requireVisitor(context.session, search.next);
  },
  loaderDeps: ({ search: { sso_error } }) => ({ sso_error }),
  // Few visits follow a failed sign-on, so only those load its texts.
  loader: async ({ deps: { sso_error } }) => {
    if (sso_error === undefined) return null;
    const { ssoProblem } = await importWithRetry(() => import('../features/teams/sso/ssoErrors'));
    return ssoProblem(sso_error);
  },
  staticData: { crumb: null /* outside the shell */, title: 'Sign in' },
  component: function Login() {
    const { next, ended, deleted } = Route.useSearch();
    const staffSignOn = useSession().features.staff_sign_on;
    const { hash } = useLocation();
    const ssoProblem = Route.useLoaderData();
    const breakGlass = breakGlassToken(hash);
    if (breakGlass !== null)
      return (
        <Suspense fallback={null}>
          <BreakGlassPage token={breakGlass} />
        </Suspense>
      );
    return (
      <LoginPage
        next={next}
        ended={ended === true}
        deleted={deleted === true}
        ssoProblem={ssoProblem}
        sso={(form) => (
          <>
            <SsoDiscovery {...form} next={next} />
            {staffSignOn !== null && <SsoButton by={{ staff: true }} next={next} label={staffSignOn} />}
          </>
        )}
      />
    );
  },
});
