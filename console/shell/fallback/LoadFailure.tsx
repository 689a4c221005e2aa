import { Button } from '../../ui/controls/Button';
import { useEffect, useEffectEvent, useState } from 'react';
import { FallbackPage } from '../../ui/feedback/FallbackPage';
import { RoutePending } from './RoutePending';

/** Delays of automatic attempts that users only see as loading, ms. */
const QUIET_DELAYS_MS = [200, 800, 2000];
/** Delay between further attempts, after the page says that it couldn't load, ms. */
const RETRY_DELAY_MS = 5_000;
/** Failures further apart than this count as separate, ms. */
const SAME_EVENT_MS = 30_000;

// Each attempt mounts a new component, so the count is kept outside.
let attempts = 0;
let lastAttemptAt = 0;

interface Props {
  onRetry: () => void;
  /** Whether the page is inside the shell. */
  inside: boolean;
}

/** Replaces a page whose code didn't arrive: keeps trying, and tries immediately when the device is back online. */
export function LoadFailure({ onRetry, inside }: Props) {
  const [{ delayMs, isQuiet }] = useState(() => {
    if (Date.now() - lastAttemptAt > SAME_EVENT_MS) attempts = 0;
    return {
      delayMs: QUIET_DELAYS_MS[attempts] ?? RETRY_DELAY_MS,
      isQuiet: attempts < QUIET_DELAYS_MS.length,
    };
  });
  const retry = useEffectEvent(() => {
    attempts += 1;
    lastAttemptAt = Date.now();
    onRetry();
  });
  useEffect(() => {
    const timer = setTimeout(() => retry(), delayMs);
    const onOnline = () => retry();
    addEventListener('online', onOnline);
    return () => {
      clearTimeout(timer);
      removeEventListener('online', onOnline);
    };
  }, [delayMs]);
  if (isQuiet) return <RoutePending />;
  return (
    <FallbackPage
      kind="application_error"
      landmark={!inside}
      title="Couldn’t load this page"
      message="Check your connection. This page retries automatically. Your apps aren’t affected."
      actions={
        <Button variant="contained" onClick={onRetry}>
          Try again
        </Button>
      }
    />
  );
}
