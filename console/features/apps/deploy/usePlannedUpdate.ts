import { useQuery } from '@tanstack/react-query';
import { listAppCvmsOptions } from '../../../../generated/api/@tanstack/react-query.gen';
import type { CvmDetail } from '../../../../generated/api/types.gen';
import { inTeam } from '../../../api/client';
import { useMay } from '../../../api/session';
import { useRenounced } from '../../../api/useRenounced';
import { useWaitingChange } from '../../../api/useWaitingChange';
import { waitText } from '../../../lib/cvms/blockedText';
import { guardingNetwork } from '../../../lib/kms/chains';
import { useLiveAnalysis } from './analysis';
import { fieldErrorsOf, secretsFault } from './form';
import type { Snapshot } from './snapshot';
import {
  composeAfter,
  hashIsOurs,
  rolloutRefusal,
  secretsChange,
  toPatch,
  updateEffect,
  type UpdateForm,
  type UpdateScope,
} from './update';

interface Options {
  teamSlug: string;
  cvm: CvmDetail;
  form: UpdateForm;
  /** The revision that the edit started from. */
  base: Snapshot;
  scope: UpdateScope;
  dirty: boolean;
  /** Whether another member's conflicting change still has to be resolved. */
  conflict: boolean;
  /** Why the last update failed. */
  error: unknown;
}

/** What sending the form would change, and why it can't be sent. */
export function usePlannedUpdate({ teamSlug, cvm, form, base, scope, dirty, conflict, error }: Options) {
  const may = useMay('cvms.write', teamSlug);
  const patch = toPatch(form, base.cvm);
  const file = base.cvm.compose_file ?? {
    manifest_version: 2,
    name: base.cvm.name,
    runner: 'docker-compose' as const,
    docker_compose_file: '',
  };
  const after = composeAfter(file, patch);
  const live = useLiveAnalysis(after, {
    secretNames: after.allowed_envs,
    preLaunchScript: form.pre_launch_script,
    onlyLocal: cvm.trust === 'simulated',
  });
  const isOurs = hashIsOurs(base.cvm);
  const change = secretsChange(form.secrets, file.allowed_envs ?? []);
  const fault = change.kind === 'values' ? secretsFault(form.secrets) : null;
  // New secret values alone keep the hash and need no approval.
  const changesHash = !dirty || Object.keys(patch).length > 0;
  const replaced = useWaitingChange(
    teamSlug,
    cvm.app_id,
    cvm,
    scope === 'app' ? { kind: 'rollout', cvm_id: null } : { kind: 'update', cvm_id: cvm.id },
  );
  const renounced = useRenounced(teamSlug, cvm.app_id, cvm);
  const hash = isOurs ? live.compose_hash : null;
  const final = renounced && {
    network: renounced.network,
    // Without a change, there is no new hash.
    allowed: !dirty || hash === null ? null : renounced.allows(hash),
  };
  const { data: cvms = [] } = useQuery({
    ...listAppCvmsOptions({ ...inTeam(teamSlug), path: { app_id: cvm.app_id ?? '' } }),
    enabled: cvm.app_id !== null,
  });
  const noRollout = rolloutRefusal(cvm, cvms);
  return {
    /** Whether the compose file and settings stay the same. */
    isUnchanged: Object.keys(patch).length === 0,
    file,
    live,
    /** Whether this browser can compute the compose hash. */
    isOurs,
    change,
    errors: fieldErrorsOf(error),
    /** What is wrong with the secrets' values. */
    fault,
    changesHash,
    /** The waiting change that this one would replace. */
    replaced,
    /** The app's contract, if nobody can change it anymore. */
    final,
    /** Number of the app's CVMs. */
    cvms: cvms.length,
    noRollout,
    effect: updateEffect(cvm, scope, changesHash ? guardingNetwork(cvm) : null, final, changesHash),
    readOnly: !may.allowed,
    blocked:
      // The notice above the form says why.
      (may.allowed ? undefined : 'This form is read-only.') ??
      blockedBy(cvm, {
        dirty,
        conflict,
        change,
        fault,
        refused: live.analysis?.ok === false,
        forbidden: changesHash && final?.allowed === false,
        noRollout: scope === 'app' && noRollout !== undefined,
      }),
  };
}

interface State {
  dirty: boolean;
  conflict: boolean;
  change: ReturnType<typeof secretsChange>;
  fault: string | null;
  refused: boolean;
  /** Whether a contract that nobody can change forbids it. */
  forbidden: boolean;
  /** Whether it would go to CVMs with a newer revision. */
  noRollout: boolean;
}

function blockedBy(
  cvm: CvmDetail,
  { dirty, conflict, change, fault, refused, forbidden, noRollout }: State,
): string | undefined {
  if (conflict) return 'Resolve the conflicting change above first.';
  if (cvm.in_progress) return waitText(cvm.operation);
  if (!dirty) return 'No changes yet.';
  if (change.kind === 'incomplete')
    return change.missing.length === 1 ? 'A secret has no value.' : 'Some secrets have no value.';
  if (fault !== null) return 'Fix the secrets first.';
  if (refused) return 'Fix the errors in the Compose file first.';
  if (noRollout) return 'Other CVMs run a newer revision. Update only this one, or edit one of those.';
  return forbidden ? 'Nobody can allow this change on the app’s contract.' : undefined;
}
