import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import {
  revealWebhookSecretMutation,
  rotateWebhookSecretMutation,
} from '../../../generated/api/@tanstack/react-query.gen';
import type { Webhook, WebhookSecret } from '../../../generated/api/types.gen';
import { inTeam } from '../../api/client';
import { problemOf } from '../../api/problem';
import { useStale } from '../../api/useStale';
import { CodeBlock } from '../../ui/code/CodeBlock';
import { RelativeTime } from '../../ui/data/RelativeTime';
import { ConfirmDialog } from '../../ui/feedback/ConfirmDialog';
import { Notice } from '../../ui/feedback/Notice';
import { FormDialog } from '../../ui/forms/FormDialog';
import { SelectInput } from '../../ui/forms/SelectInput';
import { SecretShown } from './SecretShown';

interface Props {
  teamSlug: string;
  webhook: Webhook;
  onClose: () => void;
}

/** Asks the person to confirm that it is them where the server wants it, then shows it. */
export function RevealSecret({ teamSlug, webhook, onClose }: Props) {
  const [shown, setShown] = useState<WebhookSecret | null>(null);
  const reveal = useMutation({ ...revealWebhookSecretMutation(), gcTime: 0, onSuccess: setShown });
  if (shown)
    return (
      <FormDialog open wide title="The secret">
        <SecretShown secret={shown.secret} onDone={onClose}>
          {shown.previous_secret !== null && shown.previous_secret_until !== null && (
            <>
              <Notice tone="neutral" title="The one before counts too.">
                Deliveries are signed with the new one; a receiver that refuses it gets the signature by the
                old one. That ends <RelativeTime at={shown.previous_secret_until} />.
              </Notice>
              <CodeBlock code={shown.previous_secret} title="Former secret" />
            </>
          )}
        </SecretShown>
      </FormDialog>
    );
  return (
    <ConfirmDialog
      open
      title="Show the secret?"
      effects={[
        'Whoever knows it can speak to your receiver in our name.',
        'The audit log notes that you saw it.',
      ]}
      confirmLabel="Show"
      pending={reveal.isPending}
      problem={problemOf(reveal.error, 'It is not shown')}
      onConfirm={() => reveal.mutate({ ...inTeam(teamSlug), path: { webhook_id: webhook.id } })}
      onClose={onClose}
    />
  );
}

const OVERLAPS = [
  { value: '24', label: 'for 24 hours' },
  { value: '1', label: 'for 1 hour' },
  { value: '168', label: 'for 7 days' },
  { value: '0', label: 'not any more: it has leaked' },
];

export function RotateSecret({ teamSlug, webhook, onClose }: Props) {
  const [overlap, setOverlap] = useState('24');
  const [rotated, setRotated] = useState<Webhook | null>(null);
  const stale = useStale();
  const rotate = useMutation({
    ...rotateWebhookSecretMutation(),
    gcTime: 0,
    onSuccess: async (changed) => {
      setRotated(changed);
      await stale('listWebhooks', 'getWebhook');
    },
  });
  if (rotated)
    return (
      <FormDialog open wide title="Copy the new secret">
        <SecretShown secret={rotated.secret} onDone={onClose}>
          {rotated.previous_secret_until === null ? (
            <Notice tone="attention" title="The old one counts no longer.">
              Deliveries fail until your receiver has this one; they are tried again for an hour.
            </Notice>
          ) : (
            <Notice tone="neutral" title="Nothing is lost while you change over.">
              A receiver that still has the old one goes on getting events. That ends{' '}
              <RelativeTime at={rotated.previous_secret_until} />.
            </Notice>
          )}
        </SecretShown>
      </FormDialog>
    );
  return (
    <ConfirmDialog
      open
      title="Replace the secret?"
      effects={['Deliveries are signed with a new secret from now on.']}
      confirmLabel="Replace"
      pending={rotate.isPending}
      problem={problemOf(rotate.error, 'It was not replaced')}
      onConfirm={() =>
        rotate.mutate({
          ...inTeam(teamSlug),
          path: { webhook_id: webhook.id },
          body: { overlap_hours: Number(overlap) },
        })
      }
      onClose={onClose}
    >
      <SelectInput
        label="The old one counts"
        value={overlap}
        choices={OVERLAPS}
        onChange={(event) => setOverlap(event.target.value)}
      />
    </ConfirmDialog>
  );
}
