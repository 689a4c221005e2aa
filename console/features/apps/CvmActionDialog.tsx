import { useMutation, useQueryClient } from '@tanstack/react-query';
import { restartCvm, startCvm, stopCvm } from '../../../generated/api/sdk.gen';
import type { Cvm } from '../../../generated/api/types.gen';
import { recordFeature } from '../../analytics';
import { inTeam } from '../../api/client';
import { isStale, LIVE } from '../../api/invalidation';
import { problemOf } from '../../api/problem';
import { formatHourly, parseMicros } from '../../lib/money';
import { ConfirmDialog } from '../../ui/feedback/ConfirmDialog';
import type { PowerAction } from './cvmActions';

const send = { start: startCvm, stop: stopCvm, restart: restartCvm };

const texts: Record<PowerAction, { question: string; verb: string; failed: string; effects: string[] }> = {
  start: {
    question: 'Start',
    verb: 'Start',
    failed: 'It was not started',
    effects: ['The CVM boots and its containers start.', 'Metering begins when it runs.'],
  },
  stop: {
    question: 'Stop',
    verb: 'Stop',
    failed: 'It was not stopped',
    effects: [
      'Its containers stop at once and its addresses answer no longer.',
      'Disks and secrets are kept. Metering ends.',
    ],
  },
  restart: {
    question: 'Restart',
    verb: 'Restart',
    failed: 'It was not restarted',
    effects: [
      'Its containers stop and start again; its addresses answer nothing meanwhile.',
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

/** Says what will happen to which CVM and what it costs, then does it. */
export function CvmActionDialog({ action, cvm, teamSlug, onClose }: Props) {
  const queryClient = useQueryClient();
  const { question, verb, failed, effects } = texts[action];
  const { mutate, isPending, error } = useMutation({
    mutationFn: async () =>
      (await send[action]({ ...inTeam(teamSlug), path: { cvm_id: cvm.id }, throwOnError: true })).data,
    onSuccess: async () => {
      recordFeature('cvm_action', action);
      // The event says so too; the row should not wait for it.
      await queryClient.invalidateQueries({
        predicate: (query) => isStale(query.queryKey, teamSlug, [LIVE]),
      });
      onClose();
    },
  });
  const rate = cvm.hourly_rate === null ? null : parseMicros(cvm.hourly_rate);
  return (
    <ConfirmDialog
      open
      title={`${question} ${cvm.name}?`}
      effects={effects}
      {...(action === 'start' && rate !== null ? { cost: `Running, it costs ${formatHourly(rate)}.` } : {})}
      confirmLabel={verb}
      pending={isPending}
      problem={problemOf(error, failed)}
      onConfirm={() => mutate()}
      onClose={onClose}
    />
  );
}
