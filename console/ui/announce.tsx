import {
  createContext,
  use,
  useCallback,
  useEffect,
  useEffectEvent,
  useRef,
  useState,
  type ReactNode,
} from 'react';
import { VisuallyHidden } from './VisuallyHidden';

const AnnounceContext = createContext<(message: string) => void>(() => undefined);

/** The app's only polite live region; messages announced at the same time are joined. */
export function AnnouncerProvider({ children }: { children: ReactNode }) {
  const [message, setMessage] = useState('');
  const queue = useRef<string[]>([]);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const announce = useCallback((text: string) => {
    queue.current.push(text);
    clearTimeout(timer.current);
    timer.current = setTimeout(() => {
      // Screen readers announce changes only: the no-break space makes a repeated message a change.
      setMessage((before) => {
        const next = queue.current.join('. ');
        queue.current = [];
        return before === next ? `${next}\u00a0` : next;
      });
    }, 80);
  }, []);
  useEffect(() => () => clearTimeout(timer.current), []);
  return (
    <AnnounceContext value={announce}>
      {children}
      <VisuallyHidden role="status" aria-live="polite">
        {message}
      </VisuallyHidden>
    </AnnounceContext>
  );
}

/** Returns a function that announces a message to screen readers: `announce('Copied')`. */
export const useAnnounce = () => use(AnnounceContext);

export const mainId = 'main';

/**
 * After the page changes (not on the first load), moves focus to the main region and announces the title, like a
 * full page load. `key` identifies the page, normally by its path.
 */
export function useRouteFocus(key: string, title: string) {
  const announce = useAnnounce();
  const seen = useRef(key);
  const announceTitle = useEffectEvent(() => announce(title));
  useEffect(() => {
    if (seen.current === key) return;
    seen.current = key;
    // A dialog or panel that opened with the page already has the focus.
    const active = document.activeElement;
    if (!active?.closest('[role="dialog"]')) document.getElementById(mainId)?.focus({ preventScroll: true });
    announceTitle();
  }, [key]);
}
