import { useLayoutEffect, useRef, type RefObject } from 'react';
import { controlBefore } from './focusBefore';

/**
 * Returns a ref for a button that disappears once its action is done. If the button has the focus then, the control
 * before it gets it: the one that was before it when it was pressed, so that new content between them comes next.
 */
export function useFocusBefore(): RefObject<HTMLButtonElement | null> {
  const ref = useRef<HTMLButtonElement>(null);
  useLayoutEffect(() => {
    const button = ref.current;
    if (!button) return undefined;
    let before: HTMLElement | undefined;
    const remember = () => {
      before = controlBefore(button);
    };
    button.addEventListener('click', remember);
    return () => {
      button.removeEventListener('click', remember);
      if (document.activeElement !== button) return;
      (before?.isConnected ? before : controlBefore(button))?.focus();
    };
  }, []);
  return ref;
}
