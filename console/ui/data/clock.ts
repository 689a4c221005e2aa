import { useCallback, useSyncExternalStore } from 'react';

/*
 * A single interval for the whole page, which runs only while the tab is visible and shows a relative time.
 * Components re-render only when their own text changes.
 */
const listeners = new Set<() => void>();
let timer: ReturnType<typeof setInterval> | undefined;

const tick = () => {
  if (document.visibilityState === 'visible') for (const listener of listeners) listener();
};

function subscribe(listener: () => void) {
  listeners.add(listener);
  if (timer === undefined) {
    timer = setInterval(tick, 1000);
    document.addEventListener('visibilitychange', tick);
  }
  return () => {
    listeners.delete(listener);
    if (listeners.size > 0) return;
    clearInterval(timer);
    timer = undefined;
    document.removeEventListener('visibilitychange', tick);
  };
}

const still = () => () => undefined;

/**
 * Returns text based on the current time, kept up to date. `say` must return the same text until it changes on
 * screen.
 */
export function useClock(say: (now: number) => string, running = true): string {
  const read = useCallback(() => say(Math.floor(Date.now() / 1000) * 1000), [say]);
  return useSyncExternalStore(running ? subscribe : still, read, read);
}
