import { useCallback, useSyncExternalStore } from 'react';

/** localStorage may be forbidden (private windows, blocked cookies): then a choice lives as long as the page. */
const memory = new Map<string, string>();
const listeners = new Set<() => void>();

function read(key: string): string | null {
  try {
    return localStorage.getItem(key) ?? memory.get(key) ?? null;
  } catch {
    return memory.get(key) ?? null;
  }
}

function write(key: string, value: string) {
  memory.set(key, value);
  try {
    localStorage.setItem(key, value);
  } catch {
    // kept in memory above
  }
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void) {
  listeners.add(listener);
  addEventListener('storage', listener);
  return () => {
    listeners.delete(listener);
    removeEventListener('storage', listener);
  };
}

/** What `useStored` holds now, for code outside of components. */
export const readStored = (key: string, fallback: string): string => read(`teehouse:${key}`) ?? fallback;

/** Writes what `useStored` holds, for code outside of components. */
export const writeStored = (key: string, value: string): void => write(`teehouse:${key}`, value);

/** A small preference on this device (a collapsed aside, chosen columns), shared between tabs. */
export function useStored(key: string, fallback: string): [string, (value: string) => void] {
  const full = `teehouse:${key}`;
  const value = useSyncExternalStore(
    subscribe,
    () => read(full) ?? fallback,
    // Rendered on a server, nothing is stored.
    () => fallback,
  );
  const set = useCallback((next: string) => write(full, next), [full]);
  return [value, set];
}
