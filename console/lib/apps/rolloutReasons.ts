import type { RolloutItem } from '../../../generated/api/types.gen';
import { ownValue } from '../ownValue';

export type RolloutReason = NonNullable<RolloutItem['reason']>;

/**
 * Why a CVM of a rollout was skipped, or has the new revision without having been observed healthy, by ID. Pages display
 * the sentence, and the server sends it to published clients.
 */
const SENTENCES = {
  starts_later: 'It is stopped and will run the new revision when it starts.',
  check_skipped: 'Health check skipped: the rollout is being rolled back.',
  stopped_before_check: 'It was stopped before its health check passed.',
  deleted: 'It was deleted in the meantime.',
  lost: 'It is lost: its host doesn’t list its VM.',
  rollout_failed: 'Not updated: the rollout failed first.',
  rollout_canceled: 'Not updated: canceled before its turn.',
} as const satisfies Record<RolloutReason, string>;

/** Reasons of CVMs that weren't observed healthy, and what an event says after "has revision 3". */
const UNCONFIRMED = {
  starts_later: 'and will run it when it starts',
  check_skipped: 'but its health check was skipped',
  stopped_before_check: 'but was stopped before it was confirmed healthy',
} as const satisfies Partial<Record<RolloutReason, string>>;

export type UnconfirmedReason = keyof typeof UNCONFIRMED;
export type SkippedReason = Exclude<RolloutReason, UnconfirmedReason>;

export const reasonText = (reason: RolloutReason): string => SENTENCES[reason];

/** Returns an event's message: "“web” runs revision 3", or that it has it without having been observed healthy. */
export const updatedText = (name: string, revision: number, reason: UnconfirmedReason | null): string =>
  reason === null
    ? `“${name}” runs revision ${revision}`
    : `“${name}” has revision ${revision} ${UNCONFIRMED[reason]}`;

/**
 * Returns the stored reason if it fits the state. During an upgrade, an earlier version may change the state without it,
 * and a later one may store a reason that is unknown here.
 */
export function reasonIn(state: RolloutItem['state'], reason: string | null): RolloutReason | null {
  if (reason === null || !Object.hasOwn(SENTENCES, reason)) return null;
  const fits = Object.hasOwn(UNCONFIRMED, reason)
    ? ['updated', 'reverting', 'reverted'].includes(state)
    : state === 'skipped';
  return fits ? (reason as RolloutReason) : null;
}

/** Whether it has the new revision but wasn't observed healthy. In rollouts of earlier versions, only a message says so. */
export const isUnconfirmed = ({
  state,
  reason,
  message,
}: Pick<RolloutItem, 'state' | 'reason' | 'message'>): boolean =>
  state === 'updated' && (reason ?? message) !== null;

/** Returns the text for a page. The server's is used without a reason, or for one that is unknown to this page. */
export const shownReason = ({ reason, message }: Pick<RolloutItem, 'reason' | 'message'>): string | null =>
  (reason === null ? undefined : ownValue(SENTENCES, reason)) ?? message;
