import { useMutation, useQueryClient } from '@tanstack/react-query';
import { getCvm, patchCvm } from '../../../generated/api/sdk.gen';
import { ApiError } from '../../api/apiError';
import { inTeam } from '../../api/client';
import { isStale, LIVE } from '../../api/invalidation';

interface Change {
  compose: string;
  /** The compose file that editing began with. */
  before: string;
  reason: string;
}

/** Sends the compose file with another character, unless somebody has changed the file meanwhile. */
export function useCharacterUpdate(teamSlug: string, cvm_id: string, onDone: () => void) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: async ({ compose, before, reason }: Change) => {
      const path = { cvm_id };
      const now = await getCvm({ ...inTeam(teamSlug), path, throwOnError: true });
      if (now.data.compose_file?.docker_compose_file !== before)
        throw new ApiError({
          status: 412,
          message: 'The compose file was changed while you were editing, so nothing was sent.',
          suggestions: ['Copy your JSON, discard the changes, and put it in again.'],
        });
      // What was read is what is replaced: a change between the two requests is refused by the server.
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
      await queryClient.invalidateQueries({
        predicate: (query) => isStale(query.queryKey, teamSlug, [LIVE]),
      });
      onDone();
    },
  });
}
