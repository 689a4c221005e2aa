import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { redeployAppRevisionMutation } from '../../../../generated/api/@tanstack/react-query.gen';
import type { AppRevision } from '../../../../generated/api/types.gen';
import { inTeam } from '../../../api/client';
import { isStale, LIVE } from '../../../api/invalidation';
import { problemOf } from '../../../api/problem';
import { appPath } from '../../../lib/paths';
import { ConfirmDialog } from '../../../ui/feedback/ConfirmDialog';
import { TextInput } from '../../../ui/forms/TextInput';

interface Props {
  teamSlug: string;
  appId: string;
  revision: AppRevision;
  /** CVMs of the app. */
  count: number;
  onClose: () => void;
}

/** Brings an older revision back: as a new one with the old bytes, so that the history says what happened. */
export function RollBackDialog({ teamSlug, appId, revision, count, onClose }: Props) {
  const [reason, setReason] = useState('');
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  const back = useMutation({
    ...redeployAppRevisionMutation(),
    onSuccess: async () => {
      await queryClient.invalidateQueries({
        predicate: (query) => isStale(query.queryKey, teamSlug, [LIVE]),
      });
      onClose();
      // Where its progress is followed.
      await navigate({ href: appPath(teamSlug, appId) });
    },
  });
  return (
    <ConfirmDialog
      open
      title={`Bring back revision ${revision.revision_number}?`}
      confirmLabel="Bring it back"
      effects={[
        count === 1
          ? 'The CVM restarts with it and answers nothing meanwhile.'
          : `The ${count} CVMs get it one after the other: the next only when the one before is well.`,
        'If one does not come up, what runs now is put back.',
        'A new revision is made with the same compose hash; secrets keep the values they have now.',
      ]}
      pending={back.isPending}
      problem={problemOf(back.error, 'Nothing was brought back')}
      onConfirm={() =>
        back.mutate({
          ...inTeam(teamSlug),
          path: { app_id: appId, revision_id: revision.revision_id },
          body: reason.trim() === '' ? {} : { reason: reason.trim() },
        })
      }
      onClose={onClose}
    >
      <TextInput
        label="Why"
        optional
        help="Kept in the history; everybody in the team reads it. No secrets."
        value={reason}
        maxLength={500}
        autoComplete="off"
        onChange={(event) => setReason(event.target.value)}
      />
    </ConfirmDialog>
  );
}
