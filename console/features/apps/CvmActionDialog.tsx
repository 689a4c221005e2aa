import { useMutation, useQueryClient } from '@tanstack/react-query';
import { restartCvm, startCvm, stopCvm } from '../../../generated/api/sdk.gen';
import type { Cvm } from '../../../generated/api/types.gen';
import { recordFeature } from '../../analytics';
import { useBootCheck } from '../../api/bootCheck';
import { inTeam } from '../../api/client';
import { isStale, LIVE } from '../../api/invalidation';
import { problemOf } from '../../api/problem';
import { currentMicros, powerMicros } from '../../lib/billing/spend';
import { SpendChange } from '../../ui/data/SpendChange';
import { ConfirmDialog } from '../../ui/feedback/ConfirmDialog';
import { BootWarning } from '../../ui/kms/BootWarning';
import type { PowerAction } from './cvmActions';

const send = { start: startCvm, stop: stopCvm, restart: restartCvm };

const texts: Record<PowerAction, { question: string; verb: string; failed: string; effects: string[] }> = {
  start: {
    question: 'Start',
    verb: 'Start',
    failed: 'Couldn’t start the CVM',
    effects: ['The CVM boots and its containers start.', 'Metering starts once it’s running.'],
  },
  stop: {
    question: 'Stop',
    verb: 'Stop',
    failed: 'Couldn’t stop it',
    effects: [
      'Its containers stop immediately and its addresses become unavailable.',
      'Disks and secrets are kept. Only the disk is metered.',
    ],
  },
  restart: {
    question: 'Restart',
    verb: 'Restart',
    failed: 'Couldn’t restart the CVM',
    effects: [
      'Its containers restart. Its addresses are unavailable until it boots.',
      'Disks and secrets are kept.',
    ],
  },
};

interface Props {
  action: PowerAction;
  cvm: Cvm;
  teamSlug: string;
  onClose: () => void;
}

/** Confirms a power action with its consequences and cost. */
export function CvmActionDialog({ action, cvm, teamSlug, onClose }: Props) {
  const queryClient = useQueryClient();
  const { question, verb, failed, effects } = texts[action];
  const { mutate, isPending, error } = useMutation({
    mutationFn: async () =>
      (await send[action]({ ...inTeam(teamSlug), path: { cvm_id: cvm.id }, throwOnError: true })).data,
    onSuccess: async () => {
      recordFeature('cvm_action', action);
      // Updates the row without waiting for the event.
      await queryClient.invalidateQueries({
        predicate: (query) => isStale(query.queryKey, teamSlug, [LIVE]),
      });
      onClose();
    },
  });
  const after = powerMicros(cvm, action);
  const { guarded, ...check } = useBootCheck(teamSlug, action === 'stop' ? [] : [cvm]);
  const warning = guarded && action !== 'stop' ? <BootWarning {...check} verb={action} /> : undefined;
  return (
    <ConfirmDialog
      open
      title={`${question} ${cvm.name}?`}
      effects={effects}
      {...(after === null
        ? {}
        : { cost: <SpendChange label="Cost" before={currentMicros(cvm)} after={after} /> })}
      confirmLabel={verb}
      pending={isPending}
      problem={problemOf(error, failed)}
      onConfirm={() => mutate()}
      onClose={onClose}
    >
      {warning}
    </ConfirmDialog>
  );
}
