import { useMutation, useQueryClient } from '@tanstack/react-query';
import { restartCvm, shutdownCvm, startCvm, stopCvm } from '../../generated/api/sdk.gen';
import type { Cvm } from '../../generated/api/types.gen';
import { recordFeature } from '../analytics';
import type { PowerAction } from '../lib/cvms/powerTexts';
import { useBootCheck } from './bootCheck';
import { inTeam } from './client';
import { isStale, LIVE } from './invalidation';

interface Options {
  action: PowerAction;
  cvm: Cvm;
  teamSlug: string;
  onDone: () => void;
}

/** Starts, stops or restarts a CVM, and first checks whether it would get its keys on boot. */
export function useCvmPower({ action, cvm, teamSlug, onDone }: Options) {
  const queryClient = useQueryClient();
  const { mutate, isPending, error } = useMutation({
    /** @param force cuts power instead of shutting containers down first; unused by a start */
    mutationFn: async (force: boolean) => {
      const options = { ...inTeam(teamSlug), path: { cvm_id: cvm.id }, throwOnError: true } as const;
      if (action === 'start') return startCvm(options);
      if (action === 'stop') return force ? stopCvm(options) : shutdownCvm(options);
      return restartCvm({ ...options, body: { force } });
    },
    onSuccess: async () => {
      recordFeature('cvm_action', action);
      // Shows the new state without waiting for the event.
      await queryClient.invalidateQueries({
        predicate: (query) => isStale(query.queryKey, teamSlug, [LIVE]),
      });
      onDone();
    },
  });
  const { guarded, ...check } = useBootCheck(teamSlug, action === 'stop' ? [] : [cvm]);
  return { send: mutate, isPending, error, check: guarded && action !== 'stop' ? check : null };
}
