import { useMutation } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { getCvm, patchCvm } from '../../../../generated/api/sdk.gen';
import { ApiError } from '../../../api/apiError';
import { inTeam } from '../../../api/client';
import { useContractWait } from '../../../api/contracts/useContractWait';
import { useReloadLive } from '../../../api/useReloadLive';
import { cvmLink, type CvmAddress } from '../../../lib/paths';

interface Change {
  compose: string;
  /** The compose file the edit started from. */
  before: string;
  reason: string;
}

/**
 * Saves the compose file with the new character unless the file has changed since, then opens the CVM, or its KMS tab
 * if the app's contract must allow the change first.
 * @param onSaved drops the edit before the page is left
 */
export function useCharacterUpdate(address: CvmAddress, cvm_id: string, onSaved: () => void) {
  const { teamSlug } = address;
  const reload = useReloadLive(teamSlug);
  const navigate = useNavigate();
  const { lead, shown } = useContractWait(teamSlug, cvmLink(address, 'kms'), onSaved);
  const update = useMutation({
    mutationFn: async ({ compose, before, reason }: Change) => {
      const path = { cvm_id };
      const now = await getCvm({ ...inTeam(teamSlug), path, throwOnError: true });
      if (now.data.compose_file?.docker_compose_file !== before)
        throw new ApiError({
          status: 412,
          message: 'The Compose file changed while you were editing, so nothing was saved.',
          suggestions: ['Copy your JSON, discard your changes and paste it again.'],
        });
      // If-Match makes the server reject a change made between the two requests.
      const etag = now.response.headers.get('ETag');
      const { data } = await patchCvm({
        headers: { ...inTeam(teamSlug).headers, ...(etag === null ? {} : { 'If-Match': etag }) },
        path,
        body: { docker_compose_file: compose, reason },
        throwOnError: true,
      });
      return data;
    },
    onSuccess: async () => {
      await reload();
      onSaved();
      await navigate({ href: cvmLink(address) });
    },
    onError: lead,
  });
  return { ...update, error: shown(update.error) };
}
