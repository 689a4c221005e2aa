import { createRootRouteWithContext, lazyRouteComponent } from '@tanstack/react-router';
import { Suspense } from 'react';
import { sessionOptions, useSession } from '../api/session';
import { Root } from '../features/shell/Root';
import { PublicNotice } from '../ui/layout/PublicFrame';
import type { RouterContext } from './-context';

// Only who is not signed in while something is announced needs it.
const PublicAnnouncements = lazyRouteComponent(
  () => import('../features/announcements/PublicAnnouncements'),
  'PublicAnnouncements',
);

export const Route = createRootRouteWithContext<RouterContext>()({
  // Who is signed in decides what most addresses mean, so it is known before any of them.
  beforeLoad: async ({ context }) => {
    const session = await context.queryClient.ensureQueryData(sessionOptions());
    // Before the page is drawn, so that what stands above it does not push it down; a page does not need it.
    if (session.announcements.length > 0) await PublicAnnouncements.preload?.()?.catch(() => undefined);
    return { session };
  },
  staticData: { crumb: null /* the root is no page */ },
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
      </PublicNotice>
    );
  },
});
