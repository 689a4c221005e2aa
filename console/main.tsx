import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import type { Session } from '../generated/api/types.gen';
import { startAnalytics } from './analytics';
import { configureClient } from './api/client';
import { createQueryClient } from './api/queryClient';
import { findTeam, refreshSession, sessionOptions } from './api/session';
import { AppErrorBoundary } from './shell/fallback/AppErrorBoundary';
import { makeHoldPage } from './shell/holdPage';
import { makeRouterLink } from './shell/routerLink';
import { StepUpHost } from './features/accounts/stepUp/StepUpHost';
import { VaultHost } from './features/vault/VaultHost';
import { endedSessionPath, loginPath } from './lib/paths';
import { pageErrors } from './monitoring';
import { createAppRouter, type AppRouter } from './router';
import { applyColorScheme } from './ui/colorScheme';
import { onReconnect, watchConnection } from './lib/connection';
import { UiProvider } from './ui/UiProvider';

applyColorScheme();
watchConnection();
pageErrors.start();

const queryClient = createQueryClient({
  onUnauthenticated: () => void leaveIfSignedOut(),
  onTeamRefused: () => void revalidateRoutes(),
});

/** Set by the first of several refused requests; later ones can no longer tell that a user was signed in. */
let leaving = false;

/** A request was refused as unauthenticated. If the session has ended, opens sign-in, which returns here. */
async function leaveIfSignedOut(): Promise<void> {
  const known = queryClient.getQueryData<Session>(sessionOptions().queryKey);
  const { user } = await refreshSession(queryClient);
  if (user !== null || leaving) return;
  leaving = true;
  const here = location.pathname + location.search;
  // A full page load clears the user's data from memory.
  location.replace(known?.user ? endedSessionPath(here) : loginPath(here));
}

/** Runs the route guards again after the user's permissions changed. */
async function revalidateRoutes(): Promise<void> {
  await refreshSession(queryClient);
  await router.invalidate();
}

configureClient((slug) => {
  const session = queryClient.getQueryData<Session>(sessionOptions().queryKey);
  return session !== undefined && findTeam(session, slug) !== undefined;
});
const router: AppRouter = createAppRouter(queryClient);
const RouterLink = makeRouterLink(router);
const holdPage = makeHoldPage(router.history);

// Refreshes data that changed during the outage, and pages that failed to load.
onReconnect(() => {
  void queryClient.invalidateQueries();
  void router.invalidate();
});

// Shares one request with the router's guards.
void queryClient
  .ensureQueryData(sessionOptions())
  .then(({ environment }) => {
    pageErrors.configure(environment);
    startAnalytics(environment);
  })
  .catch(() => undefined);

createRoot(document.getElementById('root')!, {
  // The error boundaries show it, so nothing is logged to the browser console.
  onCaughtError: (error) => void pageErrors.report(error),
}).render(
  <StrictMode>
    <QueryClientProvider client={queryClient}>
      <UiProvider link={RouterLink} holdPage={holdPage}>
        <AppErrorBoundary>
          <RouterProvider router={router} />
          <VaultHost />
          <StepUpHost />
        </AppErrorBoundary>
      </UiProvider>
    </QueryClientProvider>
  </StrictMode>,
);
