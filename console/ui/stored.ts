import { useCallback, useEffect, useEffectEvent, useRef, useSyncExternalStore } from 'react';

/** localStorage may be blocked (private windows, blocked cookies) or full; then a choice lasts as long as the page. */
const memory = new Map<string, string>();
const listeners = new Set<() => void>();

function read(key: string): string | null {
  // What couldn't be stored is newer than what is.
  const unstored = memory.get(key);
  if (unstored !== undefined) return unstored;
  try {
    return localStorage.getItem(key);
  } catch {
    return null;
  }
}

function write(key: string, value: string) {
  try {
    localStorage.setItem(key, value);
    memory.delete(key);
  } catch {
    memory.set(key, value);
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

/** Returns the value of `useStored`, for code outside components. */
export const readStored = (key: string, fallback: string): string => read(`teehouse:${key}`) ?? fallback;

/** Sets the value of `useStored`, for code outside components. */
export const writeStored = (key: string, value: string): void => write(`teehouse:${key}`, value);

/** A small preference on this device (a collapsed aside, chosen columns), shared between tabs. */
export function useStored(key: string, fallback: string): [string, (value: string) => void] {
  const full = `teehouse:${key}`;
  const value = useSyncExternalStore(
    subscribe,
    () => read(full) ?? fallback,
    () => fallback,
  );
  const set = useCallback((next: string) => write(full, next), [full]);
  return [value, set];
}

/** Calls `onChange` when a value that the page read through `useStored` changes, in this tab or another. */
export function useStoredChange(value: string | null, onChange: () => void): void {
  const last = useRef(value);
  const call = useEffectEvent(onChange);
  useEffect(() => {
    if (value === last.current) return;
    last.current = value;
    call();
  }, [value]);
}

/**
 * A list stored on this device and shared between tabs, newest first.
 * @param isOne filters out damaged entries @param most maximum entries; older ones are dropped
 * @param earlier returns the list from an earlier version's format
 */
export function storedList<T>(
  key: string,
  isOne: (value: unknown) => value is T,
  most: number,
  earlier: (value: unknown) => unknown[] = () => [],
) {
  /** Parses the list in a value of `useStored`. */
  const parse = (stored: string): T[] => {
    try {
      const value: unknown = JSON.parse(stored);
      const list: unknown[] = Array.isArray(value) ? value : earlier(value);
      return list.filter(isOne);
    } catch {
      return [];
    }
  };
  const read = () => parse(readStored(key, '[]'));
  const write = (list: readonly T[]) => writeStored(key, JSON.stringify(list.slice(0, most)));
  return {
    key,
    parse,
    read,
    /** Adds an entry at the front, replacing those that are `old`. */
    put: (one: T, old: (other: T) => boolean) => write([one, ...read().filter((other) => !old(other))]),
    remove(old: (one: T) => boolean) {
      const all = read();
      const others = all.filter((one) => !old(one));
      if (others.length < all.length) write(others);
    },
  };
}
