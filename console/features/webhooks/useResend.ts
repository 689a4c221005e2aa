import { useMutation } from '@tanstack/react-query';
import { resendWebhookDeliveryMutation } from '../../../generated/api/@tanstack/react-query.gen';
import type { Webhook, WebhookDelivery } from '../../../generated/api/types.gen';
import { inTeam } from '../../api/client';
import { problemOf, type ShownProblem } from '../../api/problem';
import { useStale } from '../../api/useStale';
import { resendRefusal } from './texts';

export interface Resend {
  send: (delivery: WebhookDelivery) => void;
  pending: boolean;
  problem: ShownProblem | null;
  /** Why it can't be resent now. */
  reason: (delivery: WebhookDelivery) => string | undefined;
}

export function useResend(teamSlug: string, webhook: Webhook): Resend {
  const stale = useStale();
  const resend = useMutation({
    ...resendWebhookDeliveryMutation(),
    onSettled: () => stale('listWebhookDeliveries'),
  });
  return {
    send: ({ event_id }) =>
      resend.mutate({ ...inTeam(teamSlug), path: { webhook_id: webhook.id, event_id } }),
    pending: resend.isPending,
    problem: problemOf(resend.error, 'Couldn’t resend the delivery'),
    reason: (delivery) => resendRefusal(webhook, delivery),
  };
}
