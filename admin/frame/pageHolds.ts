import type { HoldPage } from '../../console/ui/pageHold';

/**
 * Returns `HoldPage`, which counts its holders.
 * @param page of which the browser asks before it reloads or closes it
 * @param onChange called with the number of holders
 */
export function makeHoldPage(
  page: Pick<Window, 'addEventListener' | 'removeEventListener'>,
  onChange: (holders: number) => void,
): HoldPage {
  let holders = 0;
  return (isShownOnce) => {
    const ask = (event: BeforeUnloadEvent) => event.preventDefault();
    if (isShownOnce) page.addEventListener('beforeunload', ask);
    onChange(++holders);
    return () => {
      page.removeEventListener('beforeunload', ask);
      onChange(--holders);
    };
  };
}

/** Links and redirects aren't held: a pending form may end with one. */
export const isHeld = ({ historyAction }: { historyAction: string }): boolean => historyAction === 'POP';
