import { useMutation, useQueryClient } from '@tanstack/react-query';
import { getAppEnvPubkey, getKms, patchCvm } from '../../../generated/api/sdk.gen';
import type { CvmDetail } from '../../../generated/api/types.gen';
import { inTeam } from '../../api/client';
import { isStale, LIVE } from '../../api/invalidation';
import { runUpdate, secretsChange, toPatch, type UpdateApi, type UpdateForm } from './update';

function updateApi(teamSlug: string): UpdateApi {
  const team = inTeam(teamSlug);
  return {
    getKms: async (kms) => (await getKms({ path: { kms }, throwOnError: true })).data,
    getAppEnvPubkey: async (kms, app_id) =>
      (await getAppEnvPubkey({ ...team, path: { kms, app_id }, throwOnError: true })).data,
    patchCvm: async (cvm_id, body) =>
      (await patchCvm({ ...team, path: { cvm_id }, body, throwOnError: true })).data,
  };
}

export function useUpdate(teamSlug: string, cvm: CvmDetail, onDone: () => void) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (form: UpdateForm) => {
      const change = secretsChange(form.secrets, cvm.compose_file?.allowed_envs ?? []);
      return runUpdate(
        updateApi(teamSlug),
        cvm,
        toPatch(form, cvm),
        change.kind === 'values' ? change.env : null,
      );
    },
    onSuccess: async () => {
      await queryClient.invalidateQueries({
        predicate: (query) => isStale(query.queryKey, teamSlug, [LIVE]),
      });
      onDone();
    },
  });
}
