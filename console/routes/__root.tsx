import { createRootRouteWithContext, lazyRouteComponent } from '@tanstack/react-router';
import { Suspense } from 'react';
import { sessionOptions, useSession } from '../api/session';
import { VerbHost } from '../features/cvms/verbs/VerbHost';
import { Root } from '../shell/Root';
import { PublicNotice } from '../ui/layout/PublicFrame';
import type { RouterContext } from './-context';
import { importWithRetry } from '../lib/importWithRetry';

// Loaded only if there is an announcement and the visitor isn't signed in.
const PublicAnnouncements = lazyRouteComponent(
  () => importWithRetry(() => import('../features/announcements/PublicAnnouncements')),
  'PublicAnnouncements',
);

export const Route = createRootRouteWithContext<RouterContext>()({
  // Most addresses depend on the signed-in user, so the session loads first.
  beforeLoad: async ({ context }) => {
    const session = await context.queryClient.ensureQueryData(sessionOptions());
    // Loaded before the first paint so that the banner doesn't shift the page. Pages don't depend on it.
    if (session.announcements.length > 0) await PublicAnnouncements.preload?.()?.catch(() => undefined);
    return { session };
  },
  staticData: { crumb: null /* the root is not a page */ },
  component: function RootPage() {
    const { announcements } = useSession();
    const notice = announcements.length > 0 && (
      <Suspense fallback={null}>
        <PublicAnnouncements />
      </Suspense>
    );
    return (
      <PublicNotice value={notice}>
        <Root />
        <VerbHost />
      </PublicNotice>
    );
  },
});
