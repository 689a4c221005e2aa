import { useEffect } from 'react';
import { useBlocker } from 'react-router';
import { isHeld } from './pageHolds';

/**
 * Keeps the page on Back and Forward while it is mounted. The router asks only its newest blocker, so this one takes
 * precedence over a form's for unsaved changes, which stay on the page, too.
 */
export function BackBlocker() {
  const blocker = useBlocker(isHeld);
  useEffect(() => {
    if (blocker.state === 'blocked') blocker.reset();
  }, [blocker]);
  return null;
}
