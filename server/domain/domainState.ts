import type { DomainDiagnosis } from './dnsDiagnosis';
import type { DomainCheck } from './dnsFacts';

/** How a domain fares from check to check. */

export type DomainState = 'pending' | 'verified' | 'broken';

/** A diagnosis as it is kept: times as text. */
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

/** One wrong answer may be a resolver between two states of a zone; no answer at all is worth even less. */
const WRONG_IN_A_ROW = 2;
const UNANSWERED_IN_A_ROW = 4;

/** Waits after a check that did not find everything right: soon at first, when somebody is waiting for it. */
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
  /** What has to be told, if anything. */
  event: 'verified' | 'broken' | null;
}

/**
 * What a diagnosis makes of a domain. A domain that was right once stays so until the answer was wrong twice in a row,
 * or missing four times. Who adds one sees `pending` until everything is right for the first time.
 * @param spread from 0 to 1: so that domains added together are not asked for together for ever
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

/** The proof ends when the record is surely gone, not when DNS has nothing to say. */
function provedAt(before: DomainStanding, proved: boolean | null, at: Date, surely: boolean): Date | null {
  if (proved === true) return before.proved_at ?? at;
  return proved === false && surely ? null : before.proved_at;
}

/** The sentence that says what is wrong first. */
export function firstProblem({ checks }: Pick<StoredDiagnosis, 'checks'>): string | null {
  const bad =
    checks.find(({ state }) => state === 'failed') ?? checks.find(({ state }) => state === 'unknown');
  return bad?.message ?? null;
}
