import { useEffect, useRef } from 'react';

export const isApple = typeof navigator !== 'undefined' && /Mac|iPhone|iPad/.test(navigator.userAgent);

/** How the palette's shortcut is written on this person's keyboard. */
export const paletteKeys = isApple ? '⌘ K' : 'Ctrl K';

/** Whether a key press belongs to something being written, so that single-letter shortcuts keep off. */
export function isTyping(target: { tagName?: string; isContentEditable?: boolean } | null): boolean {
  if (!target) return false;
  return target.isContentEditable === true || ['INPUT', 'TEXTAREA', 'SELECT'].includes(target.tagName ?? '');
}

/** Listens on the document while mounted; the newest handler is used without listening again. */
export function useDocumentKey(handler: (event: KeyboardEvent) => void) {
  const latest = useRef(handler);
  useEffect(() => {
    latest.current = handler;
  });
  useEffect(() => {
    const listener = (event: KeyboardEvent) => latest.current(event);
    document.addEventListener('keydown', listener);
    return () => document.removeEventListener('keydown', listener);
  }, []);
}
