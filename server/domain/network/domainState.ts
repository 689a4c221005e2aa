import type { DomainDiagnosis } from './dnsDiagnosis';
import type { DomainCheck } from './dnsFacts';

/** How a domain's state changes from check to check. */

type DomainState = 'pending' | 'verified' | 'broken';

/** A diagnosis as stored: times as text. */
export interface StoredDiagnosis extends Omit<DomainDiagnosis, 'at' | 'checks'> {
  at: string;
  checks: (Omit<DomainCheck, 'remembered_until'> & { remembered_until: string | null })[];
}

export const storedDiagnosis = ({ at, checks, ...rest }: DomainDiagnosis): StoredDiagnosis => ({
  ...rest,
  at: at.toISOString(),
  checks: checks.map((check) => ({
    ...check,
    remembered_until: check.remembered_until?.toISOString() ?? null,
  })),
});

/** One wrong answer may come from a resolver between two states of a zone; a missing answer says even less. */
const WRONG_IN_A_ROW = 2;
const UNANSWERED_IN_A_ROW = 4;

/** Waits after a check that found a problem: short at first, while a user waits for the result. */
const AGAIN_SECONDS = [30, 60, 60, 120, 300, 600, 1_800, 3_600, 10_800, 21_600];
const DAILY_SECONDS = 86_400;

export interface DomainStanding {
  state: DomainState;
  proved_at: Date | null;
  verified_at: Date | null;
  broken_since: Date | null;
  failures: number;
  unanswered: number;
}

export interface DomainStep {
  standing: DomainStanding;
  next_check_at: Date;
  /** The event to report, if any. */
  event: 'verified' | 'broken' | null;
}

/**
 * Applies a diagnosis to a domain. A domain that was correct stays so until the answer was wrong twice in a
 * row, or missing four times. A new domain stays `pending` until everything is correct for the first time.
 * @param spread from 0 to 1: keeps domains added together from being checked together forever
 */
export function nextStanding(
  before: DomainStanding,
  { state, proved, at }: Pick<DomainDiagnosis, 'state' | 'proved' | 'at'>,
  spread: number,
): DomainStep {
  const right = state === 'right';
  const failures = right ? 0 : before.failures + 1;
  const unanswered = state === 'unknown' ? before.unanswered + 1 : 0;
  const surely = state === 'wrong' && failures - before.unanswered >= WRONG_IN_A_ROW;
  const broken = before.state === 'verified' && (surely || unanswered >= UNANSWERED_IN_A_ROW);
  const standing: DomainStanding = {
    state: right ? 'verified' : broken ? 'broken' : before.state,
    proved_at: provedAt(before, proved, at, surely),
    verified_at: right ? (before.verified_at ?? at) : before.verified_at,
    broken_since: right ? null : broken ? at : before.broken_since,
    failures,
    unanswered,
  };
  const seconds = right ? DAILY_SECONDS : (AGAIN_SECONDS[failures - 1] ?? DAILY_SECONDS);
  return {
    standing,
    // Up to a tenth earlier.
    next_check_at: new Date(at.getTime() + seconds * (1 - spread / 10) * 1000),
    event: right && before.state !== 'verified' ? 'verified' : broken ? 'broken' : null,
  };
}

/** The proof ends when the record is definitely gone, not when DNS gives no answer. */
function provedAt(before: DomainStanding, proved: boolean | null, at: Date, surely: boolean): Date | null {
  if (proved === true) return before.proved_at ?? at;
  return proved === false && surely ? null : before.proved_at;
}

/** Returns the sentence about the first problem. */
export function firstProblem({ checks }: Pick<StoredDiagnosis, 'checks'>): string | null {
  const bad =
    checks.find(({ state }) => state === 'failed') ?? checks.find(({ state }) => state === 'unknown');
  return bad?.message ?? null;
}
