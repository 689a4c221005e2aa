import { useSyncExternalStore } from 'react';
import { schemeAttribute, schemeStorageKey } from './theme';

/** The user's choice of color scheme; `system` follows the operating system. */
export type SchemeChoice = 'system' | 'light' | 'dark';

const listeners = new Set<() => void>();
const prefersDark = () => matchMedia('(prefers-color-scheme: dark)');
/** The choice if storage is unavailable. */
let unstored: SchemeChoice = 'system';

function readChoice(): SchemeChoice {
  try {
    const stored = localStorage.getItem(schemeStorageKey);
    return stored === 'light' || stored === 'dark' ? stored : 'system';
  } catch {
    return unstored;
  }
}

function show(): void {
  const choice = readChoice();
  const scheme = choice === 'system' ? (prefersDark().matches ? 'dark' : 'light') : choice;
  document.documentElement.setAttribute(schemeAttribute, scheme);
  for (const listener of listeners) listener();
}

/**
 * Sets the scheme on <html> before React's first render, so that the first paint is correct, and updates it when
 * the system setting changes or another tab changes the choice.
 */
export function applyColorScheme(): void {
  show();
  prefersDark().addEventListener('change', show);
  addEventListener('storage', ({ key }) => {
    if (key === schemeStorageKey || key === null) show();
  });
}

function choose(choice: SchemeChoice): void {
  unstored = choice;
  try {
    localStorage.setItem(schemeStorageKey, choice);
  } catch {
    // Without storage the choice lasts until the page is left.
  }
  show();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

/** Returns the user's choice and a function that changes it. */
export function useColorScheme(): { choice: SchemeChoice; choose: (choice: SchemeChoice) => void } {
  return { choice: useSyncExternalStore(subscribe, readChoice), choose };
}
