import styled from '@emotion/styled';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { restartCvm, startCvm, stopCvm } from '../../../generated/api/sdk.gen';
import type { Cvm } from '../../../generated/api/types.gen';
import { recordFeature } from '../../analytics';
import { useBootCheck } from '../../api/bootCheck';
import { inTeam } from '../../api/client';
import { isStale, LIVE } from '../../api/invalidation';
import { problemOf } from '../../api/problem';
import { currentMicros, powerMicros } from '../../lib/billing/spend';
import { ConfirmDialog } from '../../ui/feedback/ConfirmDialog';
import { BootWarning } from '../../ui/kms/BootWarning';
import { SpendChange } from '../../ui/data/SpendChange';
import { SwitchInput } from '../../ui/forms/SwitchInput';
import { space } from '../../ui/theme';

const Stack = styled('div')({ display: 'grid', gap: space(4) });

export type PowerAction = 'start' | 'stop' | 'restart';

const TEXTS: Record<PowerAction, { verb: string; failed: string; effects: string[] }> = {
  start: {
    verb: 'Start',
    failed: 'Couldn’t start the CVM',
    effects: [
      'The VM boots and its containers start with their saved secrets.',
      'Metering starts once it’s running.',
    ],
  },
  stop: {
    verb: 'Stop',
    failed: 'Couldn’t stop it',
    effects: [
      'Its containers stop and its addresses become unavailable.',
      'Disk, secrets, app ID and addresses are kept for the next start.',
      'Compute metering stops; the disk is still metered.',
    ],
  },
  restart: {
    verb: 'Restart',
    failed: 'Couldn’t restart the CVM',
    effects: ['Its addresses are unavailable until it boots.', 'Disk and secrets are kept.'],
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
      recordFeature('cvm_action', action);
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
      title={`${verb} ${cvm.name}?`}
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
      {action === 'restart' ? (
        <Stack>
          {warning}
          <SwitchInput
            label="Force"
            help="Cuts power immediately instead of shutting containers down first."
            checked={force}
            onChange={(event) => setForce(event.target.checked)}
          />
        </Stack>
      ) : (
        warning
      )}
    </ConfirmDialog>
  );
}
