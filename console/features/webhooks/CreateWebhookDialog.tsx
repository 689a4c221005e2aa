import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { createWebhookMutation } from '../../../generated/api/@tanstack/react-query.gen';
import type { Webhook } from '../../../generated/api/types.gen';
import { inTeam } from '../../api/client';
import { problemOf } from '../../api/problem';
import { useStale } from '../../api/useStale';
import { brandName } from '../../ui/brand/installation';
import { FormDialog } from '../../ui/forms/FormDialog';
import { ShownOnce } from '../../ui/forms/ShownOnce';
import { EXAMPLE_RECEIVER } from './snippet';
import { isChat } from './texts';
import { toWebhook, WebhookForm, type WebhookValues } from './WebhookForm';

interface Props {
  teamSlug: string;
  onClose: () => void;
  /** Called after the webhook is created and its secret, if receivers need it, copied. */
  onDone: (webhook: Webhook) => void;
}

/** The form, then the secret, shown once. */
export function CreateWebhookDialog({ teamSlug, onClose, onDone }: Props) {
  const [values, setValues] = useState<WebhookValues>({ url: '', name: '', format: 'events', events: [] });
  const [made, setMade] = useState<Webhook | null>(null);
  const stale = useStale();
  const create = useMutation({
    ...createWebhookMutation(),
    // The response contains the secret: it leaves memory when the dialog closes.
    gcTime: 0,
    onSuccess: async (webhook) => {
      // Chat services verify no signatures, so they need no secret.
      if (isChat(webhook.format)) onDone(webhook);
      else setMade(webhook);
      await stale('listWebhooks');
    },
  });
  if (made)
    return (
      <FormDialog open wide title="Copy the secret">
        <ShownOnce
          notice={{
            title: 'Save this secret.',
            text: `Your receiver uses it to verify that calls come from ${brandName()}. To see it again, you need your second factor.`,
          }}
          codes={[{ title: 'Secret', code: made.secret }, EXAMPLE_RECEIVER]}
          onDone={() => onDone(made)}
        />
      </FormDialog>
    );
  return (
    <FormDialog open wide onClose={onClose} title="Add webhook">
      <WebhookForm
        label="Add webhook"
        values={values}
        onEdit={(change) => setValues({ ...values, ...change })}
        problem={problemOf(create.error, 'Couldn’t create the webhook')}
        pending={create.isPending}
        submitLabel="Add webhook"
        pendingLabel="Checking the URL…"
        onSubmit={() => create.mutate({ ...inTeam(teamSlug), body: toWebhook(values) })}
        onCancel={onClose}
      />
    </FormDialog>
  );
}
