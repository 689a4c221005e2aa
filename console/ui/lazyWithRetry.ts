import { lazy, type ComponentType } from 'react';
import { importWithRetry } from '../lib/importWithRetry';

/** React's `lazy`, with retries after a brief connection loss. */
// oxlint-disable-next-line typescript/no-explicit-any -- React's own constraint on components.
export function lazyWithRetry<T extends ComponentType<any>>(load: () => Promise<{ default: T }>) {
  return lazy(() => importWithRetry(load));
}
