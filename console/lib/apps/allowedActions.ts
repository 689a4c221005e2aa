/** Actions allowed in each state of an app or rollout. The server enforces this table, and pages explain it. */

export type AppState = 'empty' | 'rolling_out' | 'settled';
/** `roll_out` deploys a new or earlier revision to all CVMs; `update_cvm` changes one. */
export type AppAction = 'roll_out' | 'scale_out' | 'update_cvm';
export type RolloutState = 'queued' | 'running' | 'reverting' | 'succeeded' | 'failed' | 'cancelled';

export const appActions: Readonly<Record<AppAction, readonly AppState[]>> = {
  roll_out: ['settled'],
  scale_out: ['settled'],
  update_cvm: ['settled'],
};

/** States of a rollout that is in progress. */
export const LIVE_ROLLOUT: readonly RolloutState[] = ['queued', 'running', 'reverting'];

/** The way a rollout is canceled can be changed until it rolls back. */
export const rolloutActions: Readonly<Record<'cancel', readonly RolloutState[]>> = {
  cancel: ['queued', 'running'],
};

export function appStateOf({
  cvms,
  rollouts,
}: {
  cvms: number;
  rollouts: readonly RolloutState[];
}): AppState {
  if (cvms === 0) return 'empty';
  return rollouts.some((state) => LIVE_ROLLOUT.includes(state)) ? 'rolling_out' : 'settled';
}

const BLOCKED: Readonly<Record<Exclude<AppState, 'settled'>, string>> = {
  empty: 'The app has no CVMs. Deploy it again.',
  rolling_out: 'A rollout is in progress.',
};

/** Returns why a page doesn't offer the action in this state; undefined if it does. */
export const appBlockedText = (action: AppAction, state: AppState): string | undefined =>
  state === 'settled' || appActions[action].includes(state) ? undefined : BLOCKED[state];
