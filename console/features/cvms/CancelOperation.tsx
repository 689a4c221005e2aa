import Button from '@mui/material/Button';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { cancelOperation } from '../../../generated/api/sdk.gen';
import type { Operation } from '../../../generated/api/types.gen';
import { inTeam } from '../../api/client';
import { isStale, LIVE } from '../../api/invalidation';
import { problemOf } from '../../api/problem';
import { useMay } from '../../api/session';
import { ShutButton } from '../../ui/controls/ShutButton';
import { ConfirmDialog } from '../../ui/feedback/ConfirmDialog';
import { operationWords } from './operationSteps';

const EFFECTS: Partial<Record<Operation['type'], string>> = {
  deploy: 'What was made for it is removed; the CVM is deleted.',
  update: 'The CVM goes back to the revision before.',
  resize: 'The CVM keeps the size it had.',
};

/** For an operation that goes on: cancels it, or says why it cannot be. Nothing for one that has ended. */
export function CancelOperation({ operation, teamSlug }: { operation: Operation; teamSlug: string }) {
  const queryClient = useQueryClient();
  const may = useMay('cvms.operate', teamSlug);
  const [asking, setAsking] = useState(false);
  const { type, state, correlation_id, cancellable, not_cancellable_reason, cancel_requested_at } = operation;
  const { mutate, isPending, error, reset } = useMutation({
    mutationFn: () => cancelOperation({ ...inTeam(teamSlug), path: { correlation_id }, throwOnError: true }),
    onSuccess: async () => {
      await queryClient.invalidateQueries({
        predicate: (query) => isStale(query.queryKey, teamSlug, [LIVE]),
      });
      setAsking(false);
    },
  });
  if (state !== 'queued' && state !== 'running') return null;
  const word = operationWords[type].toLowerCase();
  const reason =
    cancel_requested_at !== null
      ? 'It is being cancelled.'
      : !may
        ? 'Your role does not allow it.'
        : cancellable
          ? undefined
          : (not_cancellable_reason ?? 'It can no longer be cancelled.');
  const label = `Cancel this ${word}`;
  return (
    <>
      {reason === undefined ? (
        <Button size="small" onClick={() => setAsking(true)}>
          {label}
        </Button>
      ) : (
        <ShutButton size="small" reason={reason}>
          {label}
        </ShutButton>
      )}
      <ConfirmDialog
        open={asking}
        title={`${label}?`}
        effects={[EFFECTS[type] ?? 'What it has not done yet is not done.']}
        confirmLabel={label}
        pending={isPending}
        problem={problemOf(error, 'It was not cancelled')}
        onConfirm={() => mutate()}
        onClose={() => {
          reset();
          setAsking(false);
        }}
      />
    </>
  );
}
