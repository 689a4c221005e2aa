import { useCallback } from 'react';
import { useClock } from './clock';
import { duration, exactTime, relative, relativeInWords, toMs, type Instant } from './time';

interface Props {
  at: Instant | null | undefined;
  /** "3 minutes ago": for sentences. */
  inWords?: boolean;
}

/** "3 min ago", with the exact time on hover and in the markup. */
export function RelativeTime({ at, inWords = false }: Props) {
  if (at === null || at === undefined) return <span>—</span>;
  return <Moving at={toMs(at)} format={inWords ? relativeInWords : relative} />;
}

function Moving({ at, format }: { at: number; format: typeof relative }) {
  const text = useClock(useCallback((now: number) => format(at, now), [at, format]));
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
