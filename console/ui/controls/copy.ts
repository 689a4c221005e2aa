import { useCallback, useEffect, useRef, useState } from 'react';
import { useAnnounce } from '../announce';

/** Puts text on the clipboard; false when the browser refuses (no permission, or no https). */
export async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return copyBySelection(text);
  }
}

/** navigator.clipboard exists on https and localhost only; a console on a plain LAN address needs the old way. */
function copyBySelection(text: string): boolean {
  const area = document.createElement('textarea');
  area.value = text;
  area.style.position = 'fixed';
  area.style.opacity = '0';
  const focused = document.activeElement;
  document.body.append(area);
  area.select();
  const done = document.execCommand('copy');
  area.remove();
  if (focused instanceof HTMLElement) focused.focus();
  return done;
}

export type CopyState = 'idle' | 'copied' | 'refused';

/** The state of a copy button: says so for two seconds, also to a screen reader. */
export function useCopy(text: string): [CopyState, () => void] {
  const [state, setState] = useState<CopyState>('idle');
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const announce = useAnnounce();
  useEffect(() => () => clearTimeout(timer.current), []);
  const copy = useCallback(() => {
    void copyText(text).then((done) => {
      setState(done ? 'copied' : 'refused');
      announce(done ? 'Copied' : 'The browser refused to copy. Select the text and copy it by hand.');
      clearTimeout(timer.current);
      timer.current = setTimeout(() => setState('idle'), 2000);
    });
  }, [text, announce]);
  return [state, copy];
}
