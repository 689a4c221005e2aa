import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { restartCvm, startCvm, stopCvm } from '../../../generated/api/sdk.gen';
import type { Cvm } from '../../../generated/api/types.gen';
import { inTeam } from '../../api/client';
import { isStale, LIVE } from '../../api/invalidation';
import { problemOf } from '../../api/problem';
import { ConfirmDialog } from '../../ui/feedback/ConfirmDialog';
import { Cost } from '../../ui/data/Cost';
import { SwitchInput } from '../../ui/forms/SwitchInput';

export type PowerAction = 'start' | 'stop' | 'restart';

const TEXTS: Record<PowerAction, { verb: string; failed: string; effects: string[] }> = {
  start: {
    verb: 'Start',
    failed: 'It was not started',
    effects: [
      'The VM boots, the containers start with the secrets they had.',
      'Metering begins when it runs.',
    ],
  },
  stop: {
    verb: 'Stop',
    failed: 'It was not stopped',
    effects: [
      'The containers end and its addresses answer no longer.',
      'Disk, secrets, app id and addresses are kept for the next start.',
      'Compute is no longer metered; the disk is.',
    ],
  },
  restart: {
    verb: 'Restart',
    failed: 'It was not restarted',
    effects: ['Its addresses answer nothing for as long as it boots.', 'Disk and secrets are kept.'],
  },
};

interface Props {
  action: PowerAction;
  cvm: Cvm;
  teamSlug: string;
  onClose: () => void;
}

/** Says what will happen to it and what it costs, then does it. */
export function CvmActionDialog({ action, cvm, teamSlug, onClose }: Props) {
  const queryClient = useQueryClient();
  const [force, setForce] = useState(false);
  const { verb, failed, effects } = TEXTS[action];
  const { mutate, isPending, error } = useMutation({
    mutationFn: async () => {
      const options = { ...inTeam(teamSlug), path: { cvm_id: cvm.id }, throwOnError: true } as const;
      if (action === 'start') return startCvm(options);
      if (action === 'stop') return stopCvm(options);
      return restartCvm({ ...options, body: { force } });
    },
    onSuccess: async () => {
      await queryClient.invalidateQueries({
        predicate: (query) => isStale(query.queryKey, teamSlug, [LIVE]),
      });
      onClose();
    },
  });
  return (
    <ConfirmDialog
      open
      title={`${verb} ${cvm.name}?`}
      effects={effects}
      {...(action === 'start' && cvm.hourly_rate !== null
        ? {
            cost: (
              <>
                While it runs it costs <Cost usd={cvm.hourly_rate} per="hour" />.
              </>
            ),
          }
        : {})}
      confirmLabel={verb}
      pending={isPending}
      problem={problemOf(error, failed)}
      onConfirm={() => mutate()}
      onClose={onClose}
    >
      {action === 'restart' ? (
        <SwitchInput
          label="Without waiting for the containers"
          help="Off: containers are asked to end first. On: the VM is cut off at once, as if the power failed."
          checked={force}
          onChange={(event) => setForce(event.target.checked)}
        />
      ) : undefined}
    </ConfirmDialog>
  );
}
