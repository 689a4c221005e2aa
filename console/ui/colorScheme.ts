import { schemeAttribute, schemeStorageKey } from './theme';

export type SchemeChoice = 'system' | 'light' | 'dark';

/**
 * Puts the scheme on <html> before React's first render, so that the first paint is already right.
 * The person's choice wins; until there is one, the system's setting does.
 */
export function applyColorScheme() {
  let choice: string | null = null;
  try {
    choice = localStorage.getItem(schemeStorageKey);
  } catch {
    // no storage: the system decides
  }
  const dark =
    choice === 'dark' || (choice !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches);
  document.documentElement.setAttribute(schemeAttribute, dark ? 'dark' : 'light');
}
