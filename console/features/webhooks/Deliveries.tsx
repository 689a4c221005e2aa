import styled from '@emotion/styled';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import type { Webhook, WebhookDelivery } from '../../../generated/api/types.gen';
import { loadProblem } from '../../api/problem';
import { exportHref, keptFor } from '../../lib/activity/retention';
import { ExportLinks } from '../../ui/controls/ExportLinks';
import { DataTable, type Column } from '../../ui/data/DataTable';
import { RelativeTime } from '../../ui/data/RelativeTime';
import { EmptyState } from '../../ui/feedback/EmptyState';
import { Panel } from '../../ui/layout/Panel';
import { color, type } from '../../ui/theme';
import { DeliveryDialog } from './DeliveryDialog';
import { DeliveryState } from './DeliveryState';
import { deliveriesOptions, PAGE_SIZE } from './queries';
import { webhooksHref, type WebhooksSearch } from './search';
import { useResend } from './useResend';
import { describeAttempt } from './texts';

const Muted = styled('span')({ color: color.muted });
const Mono = styled('span')({ ...type.mono, color: color.muted });

const columns: Column<WebhookDelivery>[] = [
  {
    id: 'event',
    header: 'Event',
    cell: ({ event, test }) => (
      <>
        {event}
        {test && <Muted> (test)</Muted>}
      </>
    ),
  },
  {
    id: 'state',
    header: 'Status',
    width: 116,
    phone: 'end',
    cell: (delivery) => <DeliveryState delivery={delivery} />,
  },
  {
    id: 'tries',
    header: 'Last attempt',
    phone: 'meta',
    cell: ({ attempts, next_attempt_at }) => {
      const last = attempts.at(-1);
      const text = last === undefined ? 'not attempted yet' : describeAttempt(last);
      return (
        <span title={text}>
          {text}
          {last !== undefined && next_attempt_at !== null && (
            <>
              {' '}
              Next <RelativeTime at={next_attempt_at} inWords />.
            </>
          )}
        </span>
      );
    },
  },
  {
    id: 'count',
    header: 'Attempts',
    width: 64,
    align: 'right',
    priority: 2,
    phone: 'hide',
    cell: ({ attempts }) => attempts.length,
  },
  {
    id: 'id',
    header: 'ID',
    width: 188,
    priority: 3,
    phone: 'hide',
    cell: ({ event_id }) => <Mono>{event_id}</Mono>,
  },
  {
    id: 'at',
    header: 'When',
    width: 104,
    phone: 'meta',
    cell: ({ created_at }) => <RelativeTime at={created_at} />,
  },
];

interface Props {
  teamSlug: string;
  webhook: Webhook;
  search: WebhooksSearch;
}

/** The kept deliveries, newest first. */
export function Deliveries({ teamSlug, webhook, search }: Props) {
  const page = search.page ?? 1;
  const list = useQuery({
    ...deliveriesOptions(teamSlug, webhook.id, page),
    placeholderData: keepPreviousData,
  });
  const navigate = useNavigate();
  const resend = useResend(teamSlug, webhook);
  const href = (more: Partial<WebhooksSearch>) =>
    webhooksHref(teamSlug, { webhook: webhook.id, page: search.page, ...more });
  const total = list.data?.total ?? 0;
  const opened = list.data?.items.find(({ event_id }) => event_id === search.delivery);
  return (
    <Panel
      title="Deliveries"
      subtitle={`Failed deliveries are retried after 1 minute, 10 minutes and 1 hour. Kept for ${keptFor('webhook_deliveries')}.`}
      actions={
        <ExportLinks
          href={(format) => exportHref(teamSlug, 'webhook_deliveries', format, { webhook_id: webhook.id })}
        />
      }
    >
      <DataTable
        id="deliveries"
        noun={['delivery', 'deliveries']}
        columns={columns}
        rows={list.data?.items}
        rowId={({ event_id }) => event_id}
        rowName={({ event, event_id }) => `${event} ${event_id}`}
        rowHref={({ event_id }) => href({ delivery: event_id })}
        rowActions={(delivery) => [
          {
            id: 'resend',
            label: 'Resend',
            ...(resend.reason(delivery) === undefined ? {} : { disabledReason: resend.reason(delivery)! }),
            onSelect: () => resend.send(delivery),
          },
        ]}
        refreshing={list.isPlaceholderData}
        skeletonRows={3}
        paging={{
          offset: (page - 1) * PAGE_SIZE,
          total,
          ...(page > 1 ? { previous: href({ page: page === 2 ? undefined : page - 1 }) } : {}),
          ...(page * PAGE_SIZE < total ? { next: href({ page: page + 1 }) } : {}),
        }}
        problem={resend.problem ?? loadProblem(list, 'Couldn’t load the deliveries')}
        empty={
          <EmptyState picture="webhooks" title="No deliveries yet">
            Send a test to check your receiver. Events of the team’s CVMs appear here with every delivery
            attempt.
          </EmptyState>
        }
      />
      {opened && (
        <DeliveryDialog
          delivery={opened}
          resend={resend}
          onClose={() => void navigate({ href: href({}), replace: true, resetScroll: false })}
        />
      )}
    </Panel>
  );
}
