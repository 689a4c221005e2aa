import { useRef } from 'react';
import { isTyping, useDocumentKey } from '../controls/keys';
import type { Move } from './moves';

/** Maximum milliseconds between "g" and the letter. */
const SEQUENCE_MS = 1_500;

/**
 * "g" and a letter open a page, "?" the list of shortcuts; not while typing, in a dialog or menu, or with a
 * modifier. Public pages have no modules: console/pageKeys.js does the same for them.
 */
export function useFrameKeys(
  moves: readonly Move[],
  onMove: (href: string) => void,
  onHelp: () => void,
): void {
  const startedAt = useRef(Number.NEGATIVE_INFINITY);
  useDocumentKey(
    (event) => {
      // Ignores repeats of a key that is held down.
      if (event.repeat) return;
      const isWaiting = event.timeStamp - startedAt.current < SEQUENCE_MS;
      startedAt.current = Number.NEGATIVE_INFINITY;
      if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing || event.defaultPrevented)
        return;
      if (isTyping(document.activeElement as HTMLElement | null)) return;
      if (document.querySelector('[role="dialog"], [role="alertdialog"], [role="menu"]')) return;
      if (event.key === '?') onHelp();
      else if (isWaiting) {
        const move = moves.find(({ key }) => key === event.key.toLowerCase());
        if (!move) return;
        onMove(move.href);
      } else if (event.key === 'g') {
        startedAt.current = event.timeStamp;
        return;
      } else return;
      event.preventDefault();
    },
    { first: true },
  );
}
