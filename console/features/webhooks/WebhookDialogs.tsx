import { useMutation } from '@tanstack/react-query';
import {
  deleteWebhookMutation,
  updateWebhookMutation,
} from '../../../generated/api/@tanstack/react-query.gen';
import type { Webhook } from '../../../generated/api/types.gen';
import { inTeam } from '../../api/client';
import { problemOf } from '../../api/problem';
import { useStale } from '../../api/useStale';
import { ConfirmDialog } from '../../ui/feedback/ConfirmDialog';
import { FormDialog } from '../../ui/forms/FormDialog';
import { WebhookForm } from './WebhookForm';
import { hostOf } from './words';

interface Props {
  teamSlug: string;
  webhook: Webhook;
  onClose: () => void;
}

export function EditWebhook({ teamSlug, webhook, onClose }: Props) {
  const stale = useStale();
  const save = useMutation({
    ...updateWebhookMutation(),
    onSuccess: async () => {
      await stale('listWebhooks', 'getWebhook');
      onClose();
    },
  });
  return (
    <FormDialog open wide onClose={save.isPending ? undefined : onClose} title="Change the webhook">
      <WebhookForm
        label="Change the webhook"
        webhook={webhook}
        problem={problemOf(save.error, 'It was not changed')}
        pending={save.isPending}
        submitLabel="Save"
        pendingLabel="Checking the address…"
        onSubmit={(body) => save.mutate({ ...inTeam(teamSlug), path: { webhook_id: webhook.id }, body })}
        onCancel={onClose}
      />
    </FormDialog>
  );
}

export function DeleteWebhook({ teamSlug, webhook, onClose, onDeleted }: Props & { onDeleted: () => void }) {
  const stale = useStale();
  const remove = useMutation({
    ...deleteWebhookMutation(),
    onSuccess: async () => {
      onDeleted();
      await stale('listWebhooks');
    },
  });
  return (
    <ConfirmDialog
      open
      danger
      title={`Delete ${webhook.name ?? hostOf(webhook.url)}?`}
      effects={[
        'Nothing is sent to it any more, not even what waits to be sent again.',
        'Its secret and the list of deliveries are gone.',
      ]}
      confirmLabel="Delete"
      pending={remove.isPending}
      problem={problemOf(remove.error, 'It was not deleted')}
      onConfirm={() => remove.mutate({ ...inTeam(teamSlug), path: { webhook_id: webhook.id } })}
      onClose={onClose}
    />
  );
}
