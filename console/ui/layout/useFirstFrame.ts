import { useLayoutEffect } from 'react';
import { shellId } from '../theme';

/** Removes the HTML page's initial frame once the app has rendered its own. */
export function useFirstFrame(): void {
  useLayoutEffect(() => document.getElementById(shellId)?.remove(), []);
}
