import { useQuery } from '@tanstack/react-query';
import type { Webhook } from '../../../generated/api/types.gen';
import { CopyId } from '../../ui/data/CopyId';
import { KeyValue, type Fact } from '../../ui/data/KeyValue';
import { RelativeTime } from '../../ui/data/RelativeTime';
import { statsOptions } from './queries';
import { duration, FORMATS, isChat } from './texts';

/** The webhook's target, events and delivery statistics. */
export function WebhookFacts({ teamSlug, webhook }: { teamSlug: string; webhook: Webhook }) {
  const { data, dataUpdatedAt } = useQuery(statsOptions(teamSlug, webhook.id));
  // A busy webhook's older deliveries are deleted before they are 30 days old.
  const isCut = data !== undefined && Date.parse(data.since) > dataUpdatedAt - 29 * 86_400_000;
  const percent =
    data === undefined
      ? '…'
      : data.success_rate === null
        ? 'None yet'
        : `${Math.floor(data.success_rate * 1000) / 10}% of ${data.delivered + data.failed}`;
  const facts: Fact[] = [
    { label: 'URL', value: <CopyId id={webhook.url} what="URL" most={60} />, wide: true },
    { label: 'Format', value: FORMATS[webhook.format].label },
    ...(isChat(webhook.format) ? [] : [{ label: 'Secret', value: <code>{webhook.secret}</code> }]),
    ...(webhook.previous_secret_until === null
      ? []
      : [{ label: 'Previous secret expires', value: <RelativeTime at={webhook.previous_secret_until} /> }]),
    { label: isCut ? 'Delivered, newest 10,000' : 'Delivered, 30 days', value: percent },
    {
      label: 'Response time',
      value:
        data?.duration_ms_p50 == null
          ? '—'
          : `${duration(data.duration_ms_p50)} (95%: ${duration(data.duration_ms_p95 ?? 0)})`,
    },
    { label: 'Last delivered', value: <RelativeTime at={webhook.last_delivered_at} /> },
    { label: 'Events', value: webhook.events.join(', '), wide: true },
  ];
  return <KeyValue facts={facts} />;
}
