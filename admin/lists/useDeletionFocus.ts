import { useEffect, useEffectEvent } from 'react';
import { useLocation } from 'react-admin';
import { headingOf } from '../../console/ui/focusBefore';

/** State of the address of a list that opens because a record's page was deleted with the record. */
export const AFTER_DELETION = { follows: 'deletion' };

/** Focuses the list's heading then: the button that was focused is gone. */
export function useDeletionFocus(): void {
  const { state } = useLocation();
  const focus = useEffectEvent(() => {
    const { follows } = (state ?? {}) as Partial<typeof AFTER_DELETION>;
    if (follows === AFTER_DELETION.follows && document.activeElement === document.body)
      headingOf()?.focus({ preventScroll: true });
  });
  useEffect(() => focus(), []);
}
