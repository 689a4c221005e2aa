import { curly } from '../texts/curly';
import type { ActivityEvent } from '../../../generated/api/types.gen';
import { lastMeaningfulLine } from '../logs/lastLine';
import { newestFirst } from './events';
import { foldEvents } from './foldEvents';

interface Subject {
  label: string;
  href: string;
}

/** A row of EventList. */
interface RecentItem {
  id: string;
  kind: string;
  severity: ActivityEvent['severity'];
  message: string;
  at: string;
  /** Oldest first. */
  steps: { id: string; message: string; at: string }[];
  /** Shown instead of the number of steps. */
  stepsLabel?: string;
  subject?: Subject;
  actor?: string;
  took_ms?: number;
}

interface Options {
  /** Returns the event's subject, if the page doesn't already show it. */
  subjectOf?: (event: ActivityEvent) => Subject | null;
  /** Whether failures show their cause; omitted if the page's error box shows it. */
  withCause?: boolean;
  /** Whether the list lacks some steps of an operation, so that their number would differ from other pages. */
  isPartial?: boolean;
}

/** Returns the rows of a short list of recent events: an operation is one row with its steps. */
export function recentItems(
  events: readonly ActivityEvent[],
  { subjectOf = () => null, withCause = false, isPartial = false }: Options = {},
): RecentItem[] {
  return foldEvents(events.toSorted(newestFirst)).map(({ event, steps, actor, reason, took_ms }) => {
    const subject = subjectOf(event);
    return {
      id: event.id,
      kind: event.kind,
      severity: event.severity,
      message: messageOf(event, reason, withCause),
      at: event.created_at,
      steps: steps.toReversed().map(({ id, message, created_at }) => ({
        id,
        message: curly(message),
        at: created_at,
      })),
      ...(isPartial ? { stepsLabel: 'Details' } : {}),
      ...(subject === null ? {} : { subject }),
      ...(actor === null ? {} : { actor }),
      ...(took_ms === null ? {} : { took_ms }),
    };
  });
}

function messageOf({ kind, message }: ActivityEvent, reason: string | null, withCause: boolean): string {
  const [headline = message, ...cause] = kind.endsWith('.failed') ? message.split(': ') : [message];
  const because = withCause ? lastMeaningfulLine(cause.join(': ')) : '';
  // The cause is text from a host or a guest.
  return [curly(headline), reason, curly(because)].filter((part) => part !== null && part !== '').join(': ');
}
