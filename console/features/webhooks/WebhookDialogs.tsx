import { useMutation } from '@tanstack/react-query';
import { deleteWebhookMutation } from '../../../generated/api/@tanstack/react-query.gen';
import { updateWebhook } from '../../../generated/api/sdk.gen';
import type { Webhook } from '../../../generated/api/types.gen';
import { inTeam } from '../../api/client';
import { problemOf } from '../../api/problem';
import { useStale } from '../../api/useStale';
import { useVersionedForm } from '../../api/versions';
import { ConfirmDialog } from '../../ui/feedback/ConfirmDialog';
import { FormConflict } from '../../ui/forms/FormConflict';
import { FormDialog } from '../../ui/forms/FormDialog';
import { toWebhook, WebhookForm, type WebhookValues } from './WebhookForm';
import { FORMATS, hostOf } from './texts';

interface Props {
  teamSlug: string;
  webhook: Webhook;
  onClose: () => void;
}

export function EditWebhook({ teamSlug, webhook, onClose }: Props) {
  const stale = useStale();
  const { url, name, format, events, etag } = webhook;
  const form = useVersionedForm<WebhookValues>(
    { values: { url, name: name ?? '', format, events }, etag },
    { refresh: () => stale('listWebhooks', 'getWebhook') },
  );
  const save = useMutation({
    mutationFn: () =>
      form.send((version) =>
        updateWebhook({
          headers: { ...inTeam(teamSlug).headers, ...version },
          path: { webhook_id: webhook.id },
          body: toWebhook(form.values),
          throwOnError: true,
        }),
      ),
    onSuccess: async () => {
      await stale('listWebhooks', 'getWebhook');
      onClose();
    },
  });
  if (form.conflict)
    return (
      <FormDialog open wide onClose={onClose} title={`Edit webhook ${webhook.name ?? hostOf(webhook.url)}`}>
        <FormConflict
          form={form}
          labels={{ url: 'URL', name: 'Name', format: 'Format', events: 'Events' }}
          show={{ format: (format) => FORMATS[format].label }}
        />
      </FormDialog>
    );
  return (
    <FormDialog open wide onClose={onClose} title={`Edit webhook ${webhook.name ?? hostOf(webhook.url)}`}>
      <WebhookForm
        label="Edit webhook"
        values={form.values}
        onEdit={form.edit}
        problem={problemOf(save.error, 'Couldn’t save the webhook')}
        pending={save.isPending}
        submitLabel="Save changes"
        pendingLabel="Checking the URL…"
        onSubmit={() => save.mutate()}
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
        'No further deliveries are sent, including pending retries.',
        'Its secret and delivery history are deleted.',
      ]}
      confirmLabel="Delete"
      pending={remove.isPending}
      problem={problemOf(remove.error, 'Couldn’t delete the webhook')}
      onConfirm={() => remove.mutate({ ...inTeam(teamSlug), path: { webhook_id: webhook.id } })}
      onClose={onClose}
    />
  );
}
