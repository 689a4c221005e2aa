import { useEffectEvent, useLayoutEffect } from 'react';
import { readStored } from '../stored';

/** Where the choice to turn off shortcuts without a modifier is stored. */
export const SINGLE_KEYS = 'single-keys';

const isSingleKey = ({ key, ctrlKey, metaKey, altKey }: KeyboardEvent): boolean =>
  key.length === 1 && !ctrlKey && !metaKey && !altKey;

const isApple = typeof navigator !== 'undefined' && /Mac|iPhone|iPad/.test(navigator.userAgent);

/** The palette shortcut as labeled on this platform's keyboards. */
export const paletteKeys = isApple ? '⌘ K' : 'Ctrl K';

/** Whether a key press is part of typing, so that single-letter shortcuts are ignored. */
export function isTyping(
  target: { tagName?: string; type?: string; isContentEditable?: boolean } | null,
): boolean {
  if (!target || target.type === 'checkbox' || target.type === 'radio') return false;
  return target.isContentEditable === true || ['INPUT', 'TEXTAREA', 'SELECT'].includes(target.tagName ?? '');
}

/**
 * Listens on the document while mounted, always with the latest handler. `first` receives keys before the frame
 * does, so that a page can handle a key (with `preventDefault`) that the frame also uses. Keys without a modifier
 * are ignored if the user turned them off.
 */
export function useDocumentKey(handler: (event: KeyboardEvent) => void, { first = false } = {}) {
  const onKey = useEffectEvent(handler);
  // Before the first paint, so that a shortcut works as soon as its target is visible.
  useLayoutEffect(() => {
    const listener = (event: KeyboardEvent) => {
      if (isSingleKey(event) && readStored(SINGLE_KEYS, 'on') === 'off') return;
      onKey(event);
    };
    document.addEventListener('keydown', listener, { capture: first });
    return () => document.removeEventListener('keydown', listener, { capture: first });
  }, [first]);
}
