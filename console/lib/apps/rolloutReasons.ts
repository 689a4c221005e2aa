import type { RolloutItem } from '../../../generated/api/types.gen';

export type RolloutReason = NonNullable<RolloutItem['reason']>;

/**
 * Why a CVM of a rollout failed, was skipped, or has the new revision without having been observed healthy, by ID. Pages
 * display the sentence, and the server sends it to published clients.
 */
const SENTENCES = {
  starts_later: 'It is stopped and will run the new revision when it starts.',
  check_skipped: 'Health check skipped: the rollout is being rolled back.',
  stopped_before_check: 'It was stopped before its health check passed.',
  deleted: 'It was deleted in the meantime.',
  lost: 'It is lost: its host doesn’t list its VM.',
  rollout_failed: 'Not updated: the rollout failed first.',
  rollout_canceled: 'Not updated: canceled before its turn.',
  budget_used_up: 'Not updated: a budget doesn’t let it run.',
  payment_due: 'Not updated: a payment is due, so CVMs are stopped.',
  funds_too_low: 'Not updated: the team’s funds don’t cover its first hour.',
  update_failed: 'Its update failed.',
  update_canceled: 'Its update was canceled.',
  in_error: 'It is in an error state.',
  not_healthy: 'It wasn’t healthy in time.',
  evidence_failed: 'Evidence check failed.',
  rollback_failed: 'It couldn’t be rolled back.',
} as const satisfies Record<RolloutReason, string>;

/** Reasons of CVMs that weren't observed healthy, and what an event says after "has revision 3". */
const UNCONFIRMED = {
  starts_later: 'and will run it when it starts',
  check_skipped: 'but its health check was skipped',
  stopped_before_check: 'but was stopped before it was confirmed healthy',
} as const satisfies Partial<Record<RolloutReason, string>>;

const FAILED = [
  'update_failed',
  'update_canceled',
  'in_error',
  'not_healthy',
  'evidence_failed',
  'rollback_failed',
  'lost',
] as const satisfies RolloutReason[];

const SKIPPED = [
  'deleted',
  'lost',
  'rollout_failed',
  'rollout_canceled',
  'budget_used_up',
  'payment_due',
  'funds_too_low',
] as const satisfies RolloutReason[];

/** Reasons about which a host, guest, evidence check or budget has more to say. */
const DETAILED: readonly RolloutReason[] = [
  'budget_used_up',
  'update_failed',
  'update_canceled',
  'in_error',
  'not_healthy',
  'evidence_failed',
  'rollback_failed',
];

export type UnconfirmedReason = keyof typeof UNCONFIRMED;
export type FailedReason = (typeof FAILED)[number];
export type SkippedReason = (typeof SKIPPED)[number];

/** Whether a stored detail is about this reason. An earlier version may change the reason without it. */
export const hasDetail = (reason: RolloutReason): boolean => DETAILED.includes(reason);

/** Returns the sentence, followed by what else is known. */
export const reasonText = (reason: RolloutReason, detail: string | null = null): string =>
  detail === null ? SENTENCES[reason] : `${SENTENCES[reason]} ${detail}`;

/** Returns an event's message: "“web” runs revision 3", or that it has it without having been observed healthy. */
export const updatedText = (name: string, revision: number, reason: UnconfirmedReason | null): string =>
  reason === null
    ? `“${name}” runs revision ${revision}`
    : `“${name}” has revision ${revision} ${UNCONFIRMED[reason]}`;

/** The reasons that fit a state. A CVM that is rolled back keeps the reason it had before. */
const FITTING: Readonly<Partial<Record<RolloutItem['state'], readonly string[]>>> = {
  updated: Object.keys(UNCONFIRMED),
  failed: FAILED,
  skipped: SKIPPED,
  reverting: [...Object.keys(UNCONFIRMED), ...FAILED],
  reverted: [...Object.keys(UNCONFIRMED), ...FAILED],
};

/**
 * Returns the stored reason if it fits the state. During an upgrade, an earlier version may change the state without it,
 * and a later one may store a reason that is unknown here.
 */
export const reasonIn = (state: RolloutItem['state'], reason: string | null): RolloutReason | null =>
  reason !== null && FITTING[state]?.includes(reason) ? (reason as RolloutReason) : null;

/** Whether it has the new revision but wasn't observed healthy. In rollouts of earlier versions, only a message says so. */
export const isUnconfirmed = ({
  state,
  reason,
  message,
}: Pick<RolloutItem, 'state' | 'reason' | 'message'>): boolean =>
  state === 'updated' && (reason ?? message) !== null;

/** Returns the text for a page. The server's is used without a reason, or for one that is unknown to this page. */
export const shownReason = ({
  reason,
  detail,
  message,
}: Pick<RolloutItem, 'reason' | 'detail' | 'message'>): string | null =>
  reason !== null && Object.hasOwn(SENTENCES, reason) ? reasonText(reason, detail) : message;
