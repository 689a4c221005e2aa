import { useCallback } from 'react';
import type { BreakGlass } from '../../generated/api/types.gen';
import { useClock } from '../../console/ui/data/clock';
import { RelativeTime } from '../../console/ui/data/RelativeTime';
import { Notice } from '../../console/ui/feedback/Notice';

/** Says who signed in with a break-glass link, and why, until the session ends. */
export function BreakGlassNotices({ open }: { open: readonly BreakGlass[] }) {
  return open.map((one) => <BreakGlassNotice key={`${one.username} ${one.ends_at}`} {...one} />);
}

function BreakGlassNotice({ username, reason, ends_at }: BreakGlass) {
  const ends = Date.parse(ends_at);
  const over = useClock(useCallback((now: number) => (now >= ends ? 'over' : ''), [ends])) !== '';
  if (over) return null;
  return (
    <Notice bar tone="attention" title={`Break-glass session: ${username}`}>
      Ends <RelativeTime at={ends_at} inWords />. Reason: {reason}
    </Notice>
  );
}
