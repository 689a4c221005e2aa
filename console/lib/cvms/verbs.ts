import type { App, Cvm } from '../../../generated/api/types.gen';
import { blockedReason } from './allowedActions';
import { blockedText } from './blockedText';

/** Actions on one or several CVMs, or on all CVMs of apps. */

export type Verb = 'start' | 'stop' | 'restart' | 'delete';

export const VERBS: readonly Verb[] = ['start', 'stop', 'restart', 'delete'];

export const VERB_LABELS: Readonly<Record<Verb, string>> = {
  start: 'Start',
  stop: 'Stop',
  restart: 'Restart',
  delete: 'Delete',
};

export type Forceable = 'stop' | 'restart';

/** Whether the verb can cut power instead of shutting containers down first. */
export const canForce = (verb: Verb): verb is Forceable => verb === 'stop' || verb === 'restart';

/** Deleting is a change to the team's apps; the other verbs only operate them. */
export const verbPermission = (verb: Verb) => (verb === 'delete' ? 'cvms.write' : 'cvms.operate');

type ActedCvm = Pick<Cvm, 'id' | 'name' | 'status' | 'in_progress' | 'operation'>;
/** Includes what determines its cost before and after, and who decides about its keys. */
export type PricedCvm = ActedCvm &
  Pick<Cvm, 'hourly_rate' | 'desired_status' | 'resource' | 'app_id' | 'vm_uuid' | 'kms_info'>;
export type ActedApp = Pick<App, 'app_id' | 'name' | 'cvm_count' | 'cvms'>;

/** Returns why the verb isn't offered for this CVM now; undefined if it is. The server decides. */
export function verbFault(verb: Verb, cvm: ActedCvm): string | undefined {
  const reason = blockedReason(verb, cvm);
  return reason && blockedText(reason, cvm.operation);
}

/** Splits CVMs into those the verb applies to and those it doesn't, with the reason. */
export function splitByVerb<C extends ActedCvm>(
  verb: Verb,
  cvms: readonly C[],
): { able: C[]; skipped: { cvm: C; reason: string }[] } {
  const able: C[] = [];
  const skipped: { cvm: C; reason: string }[] = [];
  for (const cvm of cvms) {
    const reason = verbFault(verb, cvm);
    if (reason === undefined) able.push(cvm);
    else skipped.push({ cvm, reason });
  }
  return { able, skipped };
}

/** Returns why the verb applies to none of these CVMs; undefined if it applies to at least one. */
export function groupFault(verb: Verb, cvms: readonly ActedCvm[]): string | undefined {
  const { able, skipped } = splitByVerb(verb, cvms);
  if (able.length > 0) return undefined;
  const reasons = new Set(skipped.map(({ reason }) => reason));
  if (reasons.size === 1) return skipped[0]?.reason;
  return skipped.length === 0 ? 'There are no CVMs.' : 'None of these CVMs can do this right now.';
}

/** Like `groupFault`, for all CVMs of an app; lists may contain only the newest. */
export function appFault(verb: Verb, app: ActedApp): string | undefined {
  return app.cvm_count > app.cvms.length ? undefined : groupFault(verb, app.cvms);
}
