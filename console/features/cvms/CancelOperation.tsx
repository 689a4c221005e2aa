import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { cancelOperation } from '../../../generated/api/sdk.gen';
import type { Operation } from '../../../generated/api/types.gen';
import { inTeam } from '../../api/client';
import { useReloadLive } from '../../api/useReloadLive';
import { problemOf } from '../../api/problem';
import { useMay } from '../../api/session';
import { notCancellableText } from '../../lib/cvms/notCancellable';
import { curly } from '../../lib/texts/curly';
import { ActionButton } from '../../ui/controls/ActionButton';
import { ConfirmDialog } from '../../ui/feedback/ConfirmDialog';
import { operationNoun } from '../../lib/cvms/operationWords';
import { isLive } from '../../lib/cvms/allowedActions';

const EFFECTS: Partial<Record<Operation['type'], string>> = {
  deploy: 'Everything created for it is removed and the CVM is deleted.',
  update: 'The CVM rolls back to the previous revision.',
  resize: 'The CVM keeps its current size.',
};

/** Of a rollback, in place of the effect of an update. */
const KEEPS_REVISION = 'The CVM keeps its current revision.';

/** Cancels an operation in progress or explains why it can't be canceled. Renders nothing for a finished one. */
export function CancelOperation({ operation, teamSlug }: { operation: Operation; teamSlug: string }) {
  const reload = useReloadLive(teamSlug);
  const may = useMay('cvms.operate', teamSlug);
  const [asking, setAsking] = useState(false);
  const { type, state, correlation_id, not_cancellable_code, cancel_requested_at } = operation;
  const { mutate, isPending, error, reset } = useMutation({
    mutationFn: () => cancelOperation({ ...inTeam(teamSlug), path: { correlation_id }, throwOnError: true }),
    onSuccess: async () => {
      await reload();
      setAsking(false);
    },
  });
  if (!isLive(state)) return null;
  const noun = operationNoun(type, operation).toLowerCase();
  const reason =
    cancel_requested_at !== null
      ? 'Already being canceled.'
      : (may.reason ??
        (not_cancellable_code === null
          ? undefined
          : curly(notCancellableText(not_cancellable_code, operation))));
  const label = `Cancel this ${noun}`;
  return (
    <>
      <ActionButton size="small" reason={reason} onClick={() => setAsking(true)}>
        {label}
      </ActionButton>
      <ConfirmDialog
        open={asking}
        title={`${label}?`}
        effects={[operation.rolls_back ? KEEPS_REVISION : (EFFECTS[type] ?? 'Remaining steps are skipped.')]}
        confirmLabel={label}
        cancelLabel="Go back"
        pending={isPending}
        problem={problemOf(error, 'Couldn’t cancel the operation')}
        onConfirm={() => mutate()}
        onClose={() => {
          reset();
          setAsking(false);
        }}
      />
    </>
  );
}
