import { useMatches } from '@tanstack/react-router';
import { Suspense, type ReactNode } from 'react';
import { pageFault } from './crumbs';

/** The aside that the page's route names, as the frame takes it; no key where the page has none or could not be shown. */
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
