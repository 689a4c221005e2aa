// Checks the event log for consistency and against the quote's registers.

import { bytesToHex } from '../../bytes';
import {
  contradiction,
  EventLogError,
  type LogEvent,
  measuredDigests,
  parseEventLog,
  replay,
  type SystemValues,
  systemValues,
} from './eventLog';
import type { Quote } from '../quote';
import type { Run } from '../run';
import type { CheckId } from '../types';
import { counted } from '../../texts/count';

export interface Log {
  events: LogEvent[];
  /** Undefined if a check of the log failed, because its values then prove nothing. */
  system: SystemValues | undefined;
}

const explain = (error: unknown): string => {
  if (error instanceof EventLogError) return error.message;
  throw error;
};

const REGISTERS: readonly (readonly [CheckId, readonly number[]])[] = [
  ['rtmr.boot', [0, 1, 2]],
  ['rtmr3', [3]],
];

/** Null without a readable log. */
export function checkEvents({ checks, evidence, facts }: Run, quote: Quote | null): Log | null {
  if (evidence.event_log === undefined) {
    checks.skip(EVENT_CHECKS, 'The evidence has no event log.');
    return null;
  }
  let events: LogEvent[];
  try {
    events = parseEventLog(evidence.event_log);
  } catch (error) {
    return checks.fail('events.format', explain(error));
  }
  checks.pass(
    'events.format',
    `The event log is a well-formed list of ${counted(events.length, ['event', 'events'])}.`,
  );
  const digests = measuredDigests(events);
  const wrong = contradiction(events, digests);
  if (wrong) checks.fail('events.digests', wrong);
  else
    checks.pass(
      'events.digests',
      'The digest of each runtime event was recomputed from its name and payload; the stated digests match.',
    );
  let system: SystemValues | undefined;
  try {
    system = systemValues(events);
    facts.app_events = system.appEvents;
    const after = system.appEvents.length;
    checks.pass(
      'events.order',
      `Each system event occurs once, before “system-ready”${after > 0 ? `; app events after it (${after}) prove nothing about the system` : ''}.`,
    );
  } catch (error) {
    checks.fail('events.order', explain(error));
  }
  // Guests omit boot events to keep certificates small. The expected RTMR0 to RTMR2 then follow from the OS
  // image alone (checkOs); without a measured image the check is skipped.
  const boots = events.some((event) => event.imr === 1 || event.imr === 2);
  const registersAgree = compareRegisters({ checks }, quote, replay(events, digests), boots);
  return { events, system: wrong || !registersAgree ? undefined : system };
}

const EVENT_CHECKS: readonly CheckId[] = [
  'events.format',
  'events.digests',
  'events.order',
  'rtmr.boot',
  'rtmr3',
];

/** False if the log doesn't replay to the quote's RTMR3. */
function compareRegisters(
  { checks }: Pick<Run, 'checks'>,
  quote: Quote | null,
  replayed: readonly string[],
  boots: boolean,
): boolean {
  if (!quote) {
    checks.skip(['rtmr.boot', 'rtmr3'], 'The evidence has no quote to compare registers with.');
    return true;
  }
  for (const [id, indexes] of REGISTERS) {
    if (id === 'rtmr.boot' && !boots) continue;
    const different = indexes.filter((i) => replayed[i] !== bytesToHex(quote.rtmrs[i] ?? new Uint8Array(0)));
    const names = indexes.map((i) => `RTMR${i}`).join(', ');
    if (different.length === 0)
      checks.pass(id, `Replaying the event log gives the quote’s ${names}.`, {
        trusted: ['quote signature'],
      });
    else
      checks.fail(
        id,
        `Replaying the event log does not give the quote’s ${different.map((i) => `RTMR${i}`).join(', ')}: an event was changed, added, removed or moved.`,
      );
  }
  return checks.passed('rtmr3');
}
