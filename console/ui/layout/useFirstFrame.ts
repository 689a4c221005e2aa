import { useLayoutEffect } from 'react';
import { shellId } from '../theme';

/** Removes the frame that the page's HTML shows, once the app has rendered one in its place. */
export function useFirstFrame(): void {
  useLayoutEffect(() => document.getElementById(shellId)?.remove(), []);
}
