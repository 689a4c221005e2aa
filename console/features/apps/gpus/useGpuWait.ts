import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { getGpuWaitOptions } from '../../../../generated/api/@tanstack/react-query.gen';
import { deleteGpuWait, putGpuWait } from '../../../../generated/api/sdk.gen';
import { inTeam } from '../../../api/client';
import { counted } from '../../../lib/texts/count';

export const gpusText = (count: number) => counted(count, ['GPU', 'GPUs']);

/** The user's entry on the team's waitlist for GPUs. `change` joins with a number of GPUs and leaves with null. */
export function useGpuWait(teamSlug: string) {
  const client = useQueryClient();
  const options = getGpuWaitOptions({ ...inTeam(teamSlug) });
  const query = useQuery(options);
  const change = useMutation({
    mutationFn: async (gpus: number | null) => {
      if (gpus === null) await deleteGpuWait({ ...inTeam(teamSlug), throwOnError: true });
      else await putGpuWait({ ...inTeam(teamSlug), body: { gpus }, throwOnError: true });
      await client.invalidateQueries({ queryKey: options.queryKey });
    },
  });
  return { query, change };
}
