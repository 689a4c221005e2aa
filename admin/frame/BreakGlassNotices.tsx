import { useEffect, useState } from 'react';
import type { BreakGlass } from '../../generated/api/types.gen';
import { relativeTime } from '../../console/lib/time/time';
import { Notice } from '../../console/ui/feedback/Notice';

/** Says who signed in with a break-glass link, and why, until the session ends. */
export function BreakGlassNotices({ open }: { open: readonly BreakGlass[] }) {
  const now = useMinute();
  return open
    .filter(({ ends_at }) => Date.parse(ends_at) > now)
    .map(({ username, reason, ends_at }) => (
      <Notice
        key={`${username} ${ends_at}`}
        bar
        tone="attention"
        title={`Break-glass session of ${username}`}
      >
        Reason: {reason}. Ends {relativeTime(ends_at, now)}.
      </Notice>
    ));
}

function useMinute(): number {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 60_000);
    return () => clearInterval(timer);
  }, []);
  return now;
}
