import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { revealWebhookSecretMutation } from '../../../generated/api/@tanstack/react-query.gen';
import { rotateWebhookSecret } from '../../../generated/api/sdk.gen';
import type { Webhook, WebhookSecret } from '../../../generated/api/types.gen';
import { inTeam } from '../../api/client';
import { problemOf } from '../../api/problem';
import { useStale } from '../../api/useStale';
import { sendIfUnchanged } from '../../api/versions';
import { brandName } from '../../ui/brand/installation';
import { RelativeTime } from '../../ui/data/RelativeTime';
import { ConfirmDialog } from '../../ui/feedback/ConfirmDialog';
import { FormDialog } from '../../ui/forms/FormDialog';
import { GRACE_HOURS, GracePeriod } from '../../ui/forms/GracePeriod';
import { ShownOnce } from '../../ui/forms/ShownOnce';
import { EXAMPLE_RECEIVER } from './snippet';
import { hostOf } from './texts';

interface Props {
  teamSlug: string;
  webhook: Webhook;
  onClose: () => void;
}

/** Reveals the secret after a step-up confirmation, if the server requires one. */
export function RevealSecret({ teamSlug, webhook, onClose }: Props) {
  const [shown, setShown] = useState<WebhookSecret | null>(null);
  const reveal = useMutation({ ...revealWebhookSecretMutation(), gcTime: 0, onSuccess: setShown });
  if (shown) {
    const { secret, previous_secret, previous_secret_until } = shown;
    const hasPrevious = previous_secret !== null && previous_secret_until !== null;
    return (
      <FormDialog open wide title={`Secret for ${webhook.name ?? hostOf(webhook.url)}`}>
        <ShownOnce
          notice={
            hasPrevious
              ? {
                  tone: 'neutral',
                  title: 'The previous secret is still valid.',
                  text: (
                    <>
                      Deliveries are signed with the new secret. If a receiver rejects one, it is retried with
                      the previous signature until <RelativeTime at={previous_secret_until} inWords />.
                    </>
                  ),
                }
              : undefined
          }
          codes={[
            ...(hasPrevious ? [{ title: 'Previous secret', code: previous_secret }] : []),
            { title: 'Secret', code: secret },
            EXAMPLE_RECEIVER,
          ]}
          onDone={onClose}
        />
      </FormDialog>
    );
  }
  return (
    <ConfirmDialog
      open
      title={`Show the secret for ${webhook.name ?? hostOf(webhook.url)}?`}
      effects={[
        `Anyone who knows it can impersonate ${brandName()} to your receiver.`,
        'The audit log records that you viewed it.',
      ]}
      confirmLabel="Show"
      pending={reveal.isPending}
      problem={problemOf(reveal.error, 'Couldn’t show the secret')}
      onConfirm={() => reveal.mutate({ ...inTeam(teamSlug), path: { webhook_id: webhook.id } })}
      onClose={onClose}
    />
  );
}

export function RotateSecret({ teamSlug, webhook, onClose }: Props) {
  const [overlap, setOverlap] = useState<number>(GRACE_HOURS);
  const [rotated, setRotated] = useState<Webhook | null>(null);
  const stale = useStale();
  // The version as of when the dialog opened: of two concurrent rotations, the second conflicts and breaks no receiver.
  const [{ etag }] = useState(webhook);
  const rotate = useMutation({
    mutationFn: async () =>
      sendIfUnchanged(
        etag,
        ['secret'],
        async (version) =>
          (
            await rotateWebhookSecret({
              headers: { ...inTeam(teamSlug).headers, ...version },
              path: { webhook_id: webhook.id },
              body: { overlap_hours: overlap },
              throwOnError: true,
            })
          ).data,
      ),
    gcTime: 0,
    onSuccess: async (changed) => {
      setRotated(changed);
      await stale('listWebhooks', 'getWebhook');
    },
  });
  if (rotated)
    return (
      <FormDialog open wide title="Copy the new secret">
        <ShownOnce
          notice={
            rotated.previous_secret_until === null
              ? {
                  title: 'The previous secret is no longer valid.',
                  text: 'Deliveries fail until your receiver uses the new secret. They are retried for an hour.',
                }
              : {
                  tone: 'neutral',
                  title: 'The previous secret still works.',
                  text: (
                    <>
                      Receivers that still use it keep receiving events. It expires{' '}
                      <RelativeTime at={rotated.previous_secret_until} inWords />.
                    </>
                  ),
                }
          }
          codes={[{ title: 'Secret', code: rotated.secret }, EXAMPLE_RECEIVER]}
          onDone={onClose}
        />
      </FormDialog>
    );
  return (
    <ConfirmDialog
      open
      title={`Rotate the secret for ${webhook.name ?? hostOf(webhook.url)}?`}
      effects={['New deliveries are signed with a new secret.']}
      confirmLabel="Rotate"
      pending={rotate.isPending}
      problem={problemOf(rotate.error, 'Couldn’t rotate the secret')}
      onConfirm={() => rotate.mutate()}
      onClose={onClose}
    >
      <GracePeriod label="Keep the previous secret valid for" hours={overlap} onChange={setOverlap} />
    </ConfirmDialog>
  );
}
