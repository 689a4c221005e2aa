import { useMutation } from '@tanstack/react-query';
import { createRollout, getAppEnvPubkey, getKms, patchCvm } from '../../../../generated/api/sdk.gen';
import type { TemplateRef } from '../../../../generated/api/types.gen';
import { isApiError } from '../../../api/apiError';
import { inTeam } from '../../../api/client';
import { useReloadLive } from '../../../api/useReloadLive';
import { useSession } from '../../../api/session';
import type { CopyKept } from '../../../api/vaultCopies';
import { readSnapshot, type Snapshot } from './snapshot';
import {
  rebase,
  runUpdate,
  secretsChange,
  toPatch,
  type EditedField,
  type Updated,
  type UpdateApi,
  type UpdateForm,
  type UpdateScope,
} from './update';
import { importWithRetry } from '../../../lib/importWithRetry';

/** Another member's change came first; nothing was overwritten. */
export class Overtaken extends Error {
  constructor(
    readonly now: Snapshot,
    readonly rebased: UpdateForm,
    readonly collisions: EditedField[],
    /** The server's message about what changed. */
    readonly says: string,
    /** Secret values were replaced; these can't be compared. */
    readonly secretsReplaced: boolean,
  ) {
    super(says);
    this.name = 'Overtaken';
  }
}

export interface Submitted {
  form: UpdateForm;
  base: Snapshot;
  scope: UpdateScope;
  reason: string;
  /** The version of the template that the form was filled with. */
  template?: TemplateRef;
}

/** The outcome of the vault copy; null when none was due. */
export type CopyOutcome = CopyKept | 'failed' | null;

function updateApi(teamSlug: string, etag: string): UpdateApi {
  const team = inTeam(teamSlug);
  const headers = { ...team.headers, ...(etag === '' ? {} : { 'If-Match': etag }) };
  return {
    getKms: async (kms) => (await getKms({ path: { kms }, throwOnError: true })).data,
    getAppEnvPubkey: async (kms, app_id) =>
      (await getAppEnvPubkey({ ...team, path: { kms, app_id }, throwOnError: true })).data,
    patchCvm: async (cvm_id, body) =>
      (await patchCvm({ headers, path: { cvm_id }, body, throwOnError: true })).data,
    createRollout: async (app_id, body) =>
      (await createRollout({ headers, path: { app_id }, body, throwOnError: true })).data,
  };
}

/** An accepted update. */
interface Outcome {
  copy: CopyOutcome;
  /** Whether the server keeps the change until the app's contract allows it. */
  waits: boolean;
}

export function useUpdate(teamSlug: string, onDone: (outcome: Outcome, scope: UpdateScope) => void) {
  const reload = useReloadLive(teamSlug);
  const { user } = useSession();
  return useMutation({
    mutationFn: async ({ form, base, scope, reason, template }: Submitted): Promise<Outcome> => {
      const { cvm, etag } = base;
      const change = secretsChange(form.secrets, cvm.compose_file?.allowed_envs ?? []);
      const env = change.kind === 'values' ? change.env : null;
      const why = reason.trim();
      const changed = toPatch(form, cvm);
      const patch = {
        ...changed,
        ...(why === '' ? {} : { reason: why }),
        ...(template && changed.docker_compose_file !== undefined ? { template } : {}),
      };
      let updated: Updated;
      try {
        updated = await runUpdate(updateApi(teamSlug, etag), cvm, { patch, env, scope });
      } catch (error) {
        if (isApiError(error, 412)) throw await overtaken(error, teamSlug, form, base);
        throw error;
      }
      const { sealed, waits } = updated;
      if (sealed === null || env === null || cvm.app_id === null || !user) return { copy: null, waits };
      const { keepCopy } = await importWithRetry(() => import('../../../api/vaultCopies'));
      // The update is accepted, so a failed vault copy is reported and undoes nothing.
      const copy = await keepCopy(user.id, teamSlug, cvm.app_id, env, sealed).catch(() => 'failed' as const);
      return { copy, waits };
    },
    // Holds typed secrets, so it is dropped immediately.
    gcTime: 0,
    onSuccess: async (outcome, { scope }) => {
      await reload();
      onDone(outcome, scope);
    },
  });
}

async function overtaken(
  error: { message: string; fields: { field: string | null | undefined }[] },
  teamSlug: string,
  form: UpdateForm,
  base: Snapshot,
): Promise<Overtaken> {
  const now = await readSnapshot(teamSlug, base.cvm.id);
  const { form: rebased, collisions } = rebase(form, base.cvm, now.cvm);
  const replaced = error.fields.some(({ field }) => field === 'encrypted_env');
  return new Overtaken(now, rebased, collisions, error.message, replaced);
}
