import type { RouterHistory } from '@tanstack/react-router';
import type { HoldPage } from '../ui/pageHold';

/** Returns `HoldPage` for the router's history. Links and redirects aren't held: a pending form may end with one. */
export const makeHoldPage =
  (history: Pick<RouterHistory, 'block'>): HoldPage =>
  (isShownOnce) =>
    history.block({
      blockerFn: ({ action }) => action !== 'PUSH' && action !== 'REPLACE',
      enableBeforeUnload: isShownOnce,
    });
