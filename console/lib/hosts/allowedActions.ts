/**
 * Actions allowed in each state of a teepod, a drain, or a CVM in a drain. The server enforces this table, and
 * the admin area offers the actions.
 */

export type TeepodState = 'online' | 'cordoned' | 'draining' | 'offline';
export type DrainState = 'running' | 'blocked' | 'succeeded' | 'cancelled';
export type DrainCvmState =
  | 'waiting'
  | 'moving'
  | 'stopping'
  | 'moved'
  | 'stopped'
  | 'gone'
  | 'blocked'
  | 'cancelled';

/** States of a CVM that its drain has finished. */
export const ENDED_DRAIN_CVM: readonly DrainCvmState[] = ['moved', 'stopped', 'gone', 'cancelled'];
/** States in which the drain still works on it, without needing a decision by an administrator. */
export const GOING_DRAIN_CVM: readonly DrainCvmState[] = ['waiting', 'moving', 'stopping'];

interface Rule<State> {
  /** States from which the server accepts the action. */
  from: readonly State[];
  /** States in which the API accepts the action but pages don't offer it. */
  notOffered?: readonly State[];
}

export const teepodActions = {
  cordon: { from: ['online'] },
  uncordon: { from: ['cordoned', 'draining', 'offline'] },
  // A drain may also follow a finished one, or be prepared for a host that is down.
  drain: { from: ['online', 'cordoned', 'draining', 'offline'], notOffered: ['draining', 'offline'] },
} as const satisfies Record<string, Rule<TeepodState>>;

export const drainActions = {
  cancel: { from: ['running', 'blocked'] },
} as const satisfies Record<string, Rule<DrainState>>;

/** A host has at most one drain in these states. */
export const LIVE_DRAIN: readonly DrainState[] = drainActions.cancel.from;

export const drainCvmActions = {
  /** Only while its drain can still be canceled. */
  decide: { from: ['waiting', 'blocked'] },
} as const satisfies Record<string, Rule<DrainCvmState>>;

export const isAllowed = <State extends string>({ from }: Rule<State>, state: State): boolean =>
  from.includes(state);

/** States in which pages offer the action. */
export const offeredIn = <State extends string>({ from, notOffered = [] }: Rule<State>): State[] =>
  from.filter((state) => !notOffered.includes(state));
