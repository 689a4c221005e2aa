import AddRounded from '@mui/icons-material/AddRounded';
import { styled } from '@mui/material/styles';
import { useQuery } from '@tanstack/react-query';
import type { Webhook } from '../../../generated/api/types.gen';
import { problemOf } from '../../api/problem';
import { LinkButton } from '../../ui/controls/LinkButton';
import { DataTable, type Column } from '../../ui/data/DataTable';
import { RelativeTime } from '../../ui/data/RelativeTime';
import { EmptyState } from '../../ui/feedback/EmptyState';
import { Panel } from '../../ui/layout/Panel';
import { color, type } from '../../ui/theme';
import { webhooksOptions } from './queries';
import { webhooksHref } from './search';
import { WebhookState } from './WebhookState';
import { hostOf } from './words';

const Address = styled('span')({ ...type.mono, color: color.muted });

const columns: Column<Webhook>[] = [
  { id: 'name', header: 'Name', cell: ({ name, url }) => name ?? hostOf(url) },
  {
    id: 'state',
    header: 'State',
    width: 128,
    phone: 'end',
    cell: (webhook) => <WebhookState webhook={webhook} />,
  },
  {
    id: 'url',
    header: 'Address',
    priority: 2,
    phone: 'meta',
    cell: ({ url }) => <Address title={url}>{hostOf(url)}</Address>,
  },
  {
    id: 'events',
    header: 'Events',
    width: 96,
    phone: 'meta',
    cell: ({ events }) => (
      <span title={events.join('\n')}>
        {events.length} {events.length === 1 ? 'kind' : 'kinds'}
      </span>
    ),
  },
  {
    id: 'delivered',
    header: 'Last delivered',
    width: 128,
    phone: 'meta',
    cell: ({ last_delivered_at }) =>
      last_delivered_at === null ? 'nothing yet' : <RelativeTime at={last_delivered_at} />,
  },
];

export function WebhooksList({ teamSlug }: { teamSlug: string }) {
  const { data, error, refetch } = useQuery(webhooksOptions(teamSlug));
  const add = (
    <LinkButton
      variant="contained"
      color="primary"
      startIcon={<AddRounded />}
      href={webhooksHref(teamSlug, { new: true })}
    >
      Add a webhook
    </LinkButton>
  );
  return (
    <Panel
      title="Webhooks"
      subtitle="Your programs are called when something happens to a CVM of the team. Each call is signed."
      actions={data !== undefined && data.length > 0 && add}
    >
      <DataTable
        id="webhooks"
        label={data?.length === 1 ? 'webhook' : 'webhooks'}
        columns={columns}
        rows={data}
        rowId={({ id }) => id}
        rowName={({ name, url }) => name ?? hostOf(url)}
        rowHref={({ id }) => webhooksHref(teamSlug, { webhook: id })}
        skeletonRows={3}
        problem={problemOf(data ? null : error, 'The webhooks could not be read', () => void refetch())}
        empty={
          <EmptyState title="No webhooks" action={add}>
            A webhook tells a program of yours when a CVM is created, updated, stopped or deleted, so that it
            need not ask: to post into a chat, page somebody, or go on with a pipeline.
          </EmptyState>
        }
      />
    </Panel>
  );
}
