import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { getGpuWaitOptions } from '../../../../generated/api/@tanstack/react-query.gen';
import { deleteGpuWait, putGpuWait } from '../../../../generated/api/sdk.gen';
import { inTeam } from '../../../api/client';
import type { Room } from '../../../lib/texts/roomText';

/** The user's entry on the team's waitlist. `change` joins with what a host must have free, and leaves with null. */
export function useSizeWait(teamSlug: string) {
  const client = useQueryClient();
  const options = getGpuWaitOptions({ ...inTeam(teamSlug) });
  const query = useQuery(options);
  const change = useMutation({
    mutationFn: async (room: Room | null) => {
      if (room === null) await deleteGpuWait({ ...inTeam(teamSlug), throwOnError: true });
      else await putGpuWait({ ...inTeam(teamSlug), body: room, throwOnError: true });
      await client.invalidateQueries({ queryKey: options.queryKey });
    },
  });
  return { query, change };
}
