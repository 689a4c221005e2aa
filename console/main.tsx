import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import type { Session } from '../generated/api/types.gen';
import { startAnalytics } from './analytics';
import { configureClient } from './api/client';
import { createQueryClient } from './api/queryClient';
import { findTeam, refreshSession, sessionOptions } from './api/session';
import { AppErrorBoundary } from './features/fallback/AppErrorBoundary';
import { makeRouterLink } from './features/shell/routerLink';
import { StepUpHost } from './features/stepUp/StepUpHost';
import { VaultHost } from './features/vault/VaultHost';
import { loginPath } from './lib/paths';
import { reportError, startMonitoring } from './monitoring';
import { createAppRouter, type AppRouter } from './router';
import { applyColorScheme } from './ui/colorScheme';
import './ui/fonts';
import { UiProvider } from './ui/UiProvider';

applyColorScheme();
startMonitoring();

const queryClient = createQueryClient({
  onUnauthenticated: () => void leaveIfSignedOut(),
  onTeamRefused: () => void lookAgain(),
});

/** Something was refused as unknown. If that is because the session ended: to sign in, and back here. */
async function leaveIfSignedOut(): Promise<void> {
  const { user } = await refreshSession(queryClient);
  // A page load, so that nothing of the person stays in memory.
  if (user === null) location.replace(loginPath(location.pathname + location.search));
}

/** What the person may enter has changed while they looked at it: the routes' guards decide anew. */
async function lookAgain(): Promise<void> {
  await refreshSession(queryClient);
  await router.invalidate();
}

configureClient((slug) => {
  const session = queryClient.getQueryData<Session>(sessionOptions().queryKey);
  return session !== undefined && findTeam(session, slug) !== undefined;
});
const router: AppRouter = createAppRouter(queryClient);
const RouterLink = makeRouterLink(router);

// In the first moment the same request is answered for the router's guards: one for both.
void queryClient
  .ensureQueryData(sessionOptions())
  .then(({ environment }) => {
    startMonitoring(environment);
    startAnalytics(environment);
  })
  .catch(() => undefined);

createRoot(document.getElementById('root')!, {
  // The boundaries show it; the console of the browser has no more to say.
  onCaughtError: (error) => void reportError(error),
}).render(
  <StrictMode>
    <QueryClientProvider client={queryClient}>
      <UiProvider link={RouterLink}>
        <AppErrorBoundary>
          <RouterProvider router={router} />
          <VaultHost />
          <StepUpHost />
        </AppErrorBoundary>
      </UiProvider>
    </QueryClientProvider>
  </StrictMode>,
);
