import { useMutation } from '@tanstack/react-query';
import type { Cvm } from '../../generated/api/types.gen';
import { recordFeature } from '../analytics';
import type { PowerAction } from '../lib/cvms/powerTexts';
import { useBootCheck } from './bootCheck';
import { inTeam } from './client';
import { cvmRequest } from './cvmRequests';
import { useReloadLive } from './useReloadLive';

interface Options {
  action: PowerAction;
  cvm: Cvm;
  teamSlug: string;
  onDone: () => void;
}

/** Starts, stops or restarts a CVM, and first checks whether it would get its keys on boot. */
export function useCvmPower({ action, cvm, teamSlug, onDone }: Options) {
  const reload = useReloadLive(teamSlug);
  const { mutate, isPending, error } = useMutation({
    /** @param force cuts power instead of shutting containers down first; unused by a start */
    mutationFn: (force: boolean) =>
      cvmRequest(action, force).send({
        ...inTeam(teamSlug),
        path: { cvm_id: cvm.id },
        throwOnError: true,
      }),
    onSuccess: async () => {
      recordFeature('cvm_action', action);
      // Shows the new state without waiting for the event.
      await reload();
      onDone();
    },
  });
  const boot = action === 'stop' ? null : action;
  const { guarded, ...check } = useBootCheck(teamSlug, boot ? [cvm] : []);
  return { send: mutate, isPending, error, check: guarded && boot ? { ...check, verb: boot } : null };
}
