import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import type { Session } from '../generated/api/types.gen';
import { startAnalytics } from './analytics';
import { configureClient } from './api/client';
import { createQueryClient } from './api/queryClient';
import { findTeam, forgetSession, sessionOptions } from './api/session';
import { AppErrorBoundary } from './features/fallback/AppErrorBoundary';
import { makeRouterLink } from './features/shell/routerLink';
import { startMonitoring } from './monitoring';
import { createAppRouter, type AppRouter } from './router';
import { applyColorScheme } from './ui/colorScheme';
import './ui/fonts';
import { UiProvider } from './ui/UiProvider';

applyColorScheme();
startMonitoring();

const queryClient = createQueryClient(() => {
  forgetSession(queryClient);
  // Every route's guard runs again: those for members send to /login, with the way back.
  void router.invalidate();
});
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

createRoot(document.getElementById('root')!).render(
  <StrictMode>
    <QueryClientProvider client={queryClient}>
      <UiProvider link={RouterLink}>
        <AppErrorBoundary>
          <RouterProvider router={router} />
        </AppErrorBoundary>
      </UiProvider>
    </QueryClientProvider>
  </StrictMode>,
);
