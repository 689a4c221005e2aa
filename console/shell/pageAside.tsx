import { useMatches } from '@tanstack/react-router';
import { Suspense, type ReactNode } from 'react';
import { pageFault } from './crumbs';

/** Returns the aside declared by the route for the frame; empty if there is none or the page failed. */
export function useAside(): { aside?: ReactNode } {
  const matches = useMatches();
  const Aside =
    pageFault(matches) === null
      ? matches.findLast((match) => match.staticData.aside !== undefined)?.staticData.aside
      : undefined;
  if (!Aside) return {};
  return {
    aside: (
      <Suspense fallback={null}>
        <Aside />
      </Suspense>
    ),
  };
}
