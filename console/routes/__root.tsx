import { createRootRouteWithContext } from '@tanstack/react-router';
import { sessionOptions } from '../api/session';
import { Root } from '../features/shell/Root';
import type { RouterContext } from './-context';

export const Route = createRootRouteWithContext<RouterContext>()({
  // Who is signed in decides what most addresses mean, so it is known before any of them.
  beforeLoad: async ({ context }) => ({
    session: await context.queryClient.ensureQueryData(sessionOptions()),
  }),
  staticData: { crumb: null /* the root is no page */ },
  component: Root,
});
