import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { createWebhookMutation } from '../../../generated/api/@tanstack/react-query.gen';
import type { Webhook } from '../../../generated/api/types.gen';
import { inTeam } from '../../api/client';
import { problemOf } from '../../api/problem';
import { useStale } from '../../api/useStale';
import { Notice } from '../../ui/feedback/Notice';
import { FormDialog } from '../../ui/forms/FormDialog';
import { SecretShown } from './SecretShown';
import { WebhookForm } from './WebhookForm';

interface Props {
  teamSlug: string;
  onClose: () => void;
  /** It is made and its secret is copied. */
  onDone: (webhook: Webhook) => void;
}

/** The form, then the secret: this once. */
export function CreateWebhookDialog({ teamSlug, onClose, onDone }: Props) {
  const [made, setMade] = useState<Webhook | null>(null);
  const stale = useStale();
  const create = useMutation({
    ...createWebhookMutation(),
    // The answer holds the secret: not a moment longer in memory than it is shown.
    gcTime: 0,
    onSuccess: async (webhook) => {
      setMade(webhook);
      await stale('listWebhooks');
    },
  });
  if (made)
    return (
      <FormDialog open wide title="Copy the secret">
        <SecretShown secret={made.secret} onDone={() => onDone(made)}>
          <Notice tone="attention" title="It is shown this once.">
            Your receiver checks with it that a call comes from here. Lost? Show it again with your second
            factor, or replace it.
          </Notice>
        </SecretShown>
      </FormDialog>
    );
  return (
    <FormDialog open wide onClose={create.isPending ? undefined : onClose} title="Add a webhook">
      <WebhookForm
        label="Add a webhook"
        problem={problemOf(create.error, 'The webhook was not made')}
        pending={create.isPending}
        submitLabel="Add webhook"
        pendingLabel="Checking the address…"
        onSubmit={(body) => create.mutate({ ...inTeam(teamSlug), body })}
        onCancel={onClose}
      />
    </FormDialog>
  );
}
