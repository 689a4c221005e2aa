import { Suspense, useEffect, useState, type ReactNode } from 'react';
import { lazyWithRetry } from '../lazyWithRetry';
import { hostKeyHelp } from './keyHelp';
import type { Move } from './moves';
import { useFrameKeys } from './useFrameKeys';

const KeyHelp = lazyWithRetry(() => import('./KeyHelp').then((m) => ({ default: m.KeyHelp })));

interface Options {
  onGo?: ((href: string) => void) | undefined;
  /** Whether the page has the command palette and lists. */
  isApp?: boolean;
}

/** Handles every page's shortcuts. @returns the list of them, which "?" opens */
export function useKeyHelp(moves: readonly Move[], { onGo, isApp = true }: Options): ReactNode {
  const [helping, setHelping] = useState(false);
  useEffect(() => hostKeyHelp(() => setHelping(true)), []);
  useFrameKeys(
    moves,
    (href) => onGo?.(href),
    () => setHelping(true),
  );
  return (
    helping && (
      <Suspense fallback={null}>
        <KeyHelp moves={moves} isApp={isApp} onClose={() => setHelping(false)} />
      </Suspense>
    )
  );
}
