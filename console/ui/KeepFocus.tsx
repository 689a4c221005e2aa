import { useEffect, useRef, type ReactNode } from 'react';
import { FOCUSABLE, headingOf, inPlaceOf } from './focusBefore';

/**
 * Keeps the focus when the focused control disappears, as Stop does once a CVM has stopped: the control that takes its
 * place gets it, or the page's heading if none is left. Wrap the dialogs of these controls too: they return the focus
 * to a control that may be gone by then.
 */
export function KeepFocus({ children }: { children: ReactNode }) {
  const root = useRef<HTMLDivElement>(null);
  const hasFocus = useRef(false);
  /** How many controls came after the focused one. */
  const following = useRef(0);
  const remember = () => {
    const controls = controlsIn(root.current);
    const index = controls.findIndex((one) => one === document.activeElement);
    if (index !== -1) following.current = controls.length - 1 - index;
    return controls;
  };
  // Dialogs return the focus in effects of their own, which come first.
  useEffect(() => {
    const controls = remember();
    if (!hasFocus.current || document.activeElement !== document.body) return;
    (inPlaceOf(controls, following.current) ?? headingOf())?.focus({ preventScroll: true });
  });
  return (
    <div
      ref={root}
      style={{ display: 'contents' }}
      // These events also come from dialogs, but not from controls that React removes.
      onFocus={() => {
        hasFocus.current = true;
        remember();
      }}
      onBlur={() => {
        // The focus comes back if another window took it.
        hasFocus.current = !document.hasFocus();
      }}
    >
      {children}
    </div>
  );
}

const controlsIn = (root: Element | null): HTMLElement[] => [
  ...(root?.querySelectorAll<HTMLElement>(FOCUSABLE) ?? []),
];
