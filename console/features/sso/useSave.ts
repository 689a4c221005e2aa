import { useMutation, useQueryClient } from '@tanstack/react-query';
import { putSso } from '../../../generated/api/sdk.gen';
import type { PutSso } from '../../../generated/api/types.gen';
import { inTeam } from '../../api/client';
import { ssoOptions } from './queries';

/** Sends the whole connection; what the server kept is what the page shows next. */
export function useSave(slug: string, onSaved?: () => void) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: async (body: PutSso) =>
      (await putSso({ ...inTeam(slug), path: { slug }, body, throwOnError: true })).data,
    onSuccess: (settings) => {
      queryClient.setQueryData(ssoOptions(slug).queryKey, settings);
      onSaved?.();
    },
  });
}
