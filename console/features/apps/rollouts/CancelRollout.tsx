import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { cancelRolloutMutation } from '../../../../generated/api/@tanstack/react-query.gen';
import type { Rollout } from '../../../../generated/api/types.gen';
import { inTeam } from '../../../api/client';
import { problemOf } from '../../../api/problem';
import { useStale } from '../../../api/useStale';
import { ConfirmDialog } from '../../../ui/feedback/ConfirmDialog';
import { RadioCards } from '../../../ui/forms/RadioCards';

type Mode = 'keep' | 'revert';

/** Stops a rollout after the CVM it is at; what becomes of those already updated is the person's choice. */
export function CancelRollout({
  teamSlug,
  rollout,
  onClose,
}: {
  teamSlug: string;
  rollout: Rollout;
  onClose: () => void;
}) {
  const [mode, setMode] = useState<Mode>('revert');
  const stale = useStale();
  const cancel = useMutation({
    ...cancelRolloutMutation(),
    onSuccess: async () => {
      await stale('listRollouts', 'getRollout');
      onClose();
    },
  });
  return (
    <ConfirmDialog
      open
      title="Stop the rollout?"
      confirmLabel="Stop it"
      effects={['The CVM it is at is finished first; those that wait are not touched.']}
      pending={cancel.isPending}
      problem={problemOf(cancel.error, 'It was not stopped')}
      onConfirm={() =>
        cancel.mutate({
          ...inTeam(teamSlug),
          path: { app_id: rollout.app_id, rollout_id: rollout.rollout_id },
          body: { mode },
        })
      }
      onClose={onClose}
    >
      <RadioCards
        label="CVMs already updated"
        name="mode"
        value={mode}
        onChange={(value) => setMode(value as Mode)}
        cards={[
          {
            value: 'revert',
            name: 'Go back',
            specs: 'Each restarts with what it ran before, one at a time.',
          },
          { value: 'keep', name: 'Stay updated', specs: 'The app then runs two revisions side by side.' },
        ]}
      />
    </ConfirmDialog>
  );
}
