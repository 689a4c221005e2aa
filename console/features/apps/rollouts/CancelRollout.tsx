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

/** Stops a rollout after the current CVM. The user chooses what happens to updated CVMs. */
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
      title={`Stop the rollout to revision ${rollout.revision.revision_number}?`}
      confirmLabel="Stop rollout"
      effects={['The current CVM finishes first. Waiting CVMs aren’t updated.']}
      pending={cancel.isPending}
      problem={problemOf(cancel.error, 'Couldn’t stop the rollout')}
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
        label="Updated CVMs"
        name="mode"
        value={mode}
        onChange={(value) => setMode(value as Mode)}
        cards={[
          {
            value: 'revert',
            name: 'Roll back',
            specs: 'Each restarts with its previous revision, one at a time.',
          },
          { value: 'keep', name: 'Keep updated', specs: 'The app will run two revisions side by side.' },
        ]}
      />
    </ConfirmDialog>
  );
}
