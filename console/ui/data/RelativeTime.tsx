import { useCallback } from 'react';
import { useClock } from './clock';
import { duration, exactTime, relative, toMs, type Instant } from './time';

/** "3 min ago", with the exact time on hover and in the markup. */
export function RelativeTime({ at }: { at: Instant | null | undefined }) {
  if (at === null || at === undefined) return <span>—</span>;
  return <Moving at={toMs(at)} />;
}

function Moving({ at }: { at: number }) {
  const text = useClock(useCallback((now: number) => relative(at, now), [at]));
  return (
    <time
      dateTime={Number.isNaN(at) ? undefined : new Date(at).toISOString()}
      title={exactTime(at)}
      style={{ whiteSpace: 'nowrap' }}
    >
      {text}
    </time>
  );
}

/** Elapsed time; counts in whole seconds until `until` is set. */
export function Elapsed({ since, until }: { since: Instant; until?: Instant | null }) {
  const from = toMs(since);
  const end = until === null || until === undefined ? undefined : toMs(until);
  const text = useClock(
    useCallback(
      (now: number) => {
        const ms = Math.max(0, (end ?? now) - from);
        return end === undefined && ms < 1000 ? '< 1 s' : duration(ms);
      },
      [from, end],
    ),
    end === undefined,
  );
  return <span style={{ whiteSpace: 'nowrap', fontVariantNumeric: 'tabular-nums' }}>{text}</span>;
}
