import { useEffect, useRef } from 'react';

export const isApple = typeof navigator !== 'undefined' && /Mac|iPhone|iPad/.test(navigator.userAgent);

/** How the palette's shortcut is written on this person's keyboard. */
export const paletteKeys = isApple ? '⌘ K' : 'Ctrl K';

/** Whether a key press belongs to something being written, so that single-letter shortcuts keep off. */
export function isTyping(
  target: { tagName?: string; type?: string; isContentEditable?: boolean } | null,
): boolean {
  if (!target || target.type === 'checkbox' || target.type === 'radio') return false;
  return target.isContentEditable === true || ['INPUT', 'TEXTAREA', 'SELECT'].includes(target.tagName ?? '');
}

/**
 * Listens on the document while mounted; the newest handler is used without listening again. `first` hears a key before
 * the frame does, so that a page can take one for itself (by `preventDefault`) that the frame also knows.
 */
export function useDocumentKey(handler: (event: KeyboardEvent) => void, { first = false } = {}) {
  const latest = useRef(handler);
  useEffect(() => {
    latest.current = handler;
  });
  useEffect(() => {
    const listener = (event: KeyboardEvent) => latest.current(event);
    document.addEventListener('keydown', listener, { capture: first });
    return () => document.removeEventListener('keydown', listener, { capture: first });
  }, [first]);
}
