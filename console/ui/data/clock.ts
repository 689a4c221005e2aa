import { useCallback, useSyncExternalStore } from 'react';

/*
 * One interval for the whole page, running only while something on screen shows a moving time and the
 * tab is visible. A component re-renders only when its own words change.
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

/** A text made from the current time, kept current. `say` must return the same text until it differs on screen. */
export function useClock(say: (now: number) => string, running = true): string {
  const read = useCallback(() => say(Math.floor(Date.now() / 1000) * 1000), [say]);
  return useSyncExternalStore(running ? subscribe : still, read, read);
}
