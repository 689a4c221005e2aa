import { LinkButton } from '../../ui/controls/Button';
import PlusIcon from 'lucide-react/icons/plus';
import styled from '@emotion/styled';
import { useQuery } from '@tanstack/react-query';
import type { Webhook } from '../../../generated/api/types.gen';
import { loadProblem } from '../../api/problem';
import { DataTable, type Column } from '../../ui/data/DataTable';
import { RelativeTime } from '../../ui/data/RelativeTime';
import { EmptyState } from '../../ui/feedback/EmptyState';
import { Panel } from '../../ui/layout/Panel';
import { color, type } from '../../ui/theme';
import { webhooksOptions } from './queries';
import { webhooksHref } from './search';
import { WebhookState } from './WebhookState';
import { hostOf } from './texts';

const Address = styled('span')({ ...type.mono, color: color.muted });

const columns: Column<Webhook>[] = [
  { id: 'name', header: 'Name', cell: ({ name, url }) => name ?? hostOf(url) },
  {
    id: 'state',
    header: 'Status',
    width: 128,
    phone: 'end',
    cell: (webhook) => <WebhookState webhook={webhook} />,
  },
  {
    id: 'url',
    header: 'Host',
    priority: 2,
    phone: 'meta',
    cell: ({ url }) => <Address title={url}>{hostOf(url)}</Address>,
  },
  {
    id: 'events',
    header: 'Events',
    width: 96,
    phone: 'meta',
    cell: ({ events }) => <span title={events.join('\n')}>{events.length}</span>,
  },
  {
    id: 'delivered',
    header: 'Last delivered',
    width: 128,
    phone: 'meta',
    cell: ({ last_delivered_at }) =>
      last_delivered_at === null ? 'never' : <RelativeTime at={last_delivered_at} />,
  },
];

export function WebhooksList({ teamSlug }: { teamSlug: string }) {
  const { data, error, refetch } = useQuery(webhooksOptions(teamSlug));
  const add = (
    <LinkButton variant="contained" startIcon={<PlusIcon />} href={webhooksHref(teamSlug, { new: true })}>
      Add webhook
    </LinkButton>
  );
  return (
    <Panel
      title="Webhooks"
      untitled
      subtitle="Signed requests to your programs, or messages to your chats."
      actions={data !== undefined && data.length > 0 && add}
    >
      <DataTable
        id="webhooks"
        noun={['webhook', 'webhooks']}
        columns={columns}
        rows={data}
        rowId={({ id }) => id}
        rowName={({ name, url }) => name ?? hostOf(url)}
        rowHref={({ id }) => webhooksHref(teamSlug, { webhook: id })}
        skeletonRows={3}
        problem={loadProblem({ data, error, refetch }, 'Couldn’t load the webhooks')}
        empty={
          <EmptyState picture="webhooks" title="No webhooks yet" action={add}>
            A webhook notifies your program when a CVM is created, updated, stopped or deleted. Use it to post
            to a chat, page the on-call engineer or continue a pipeline.
          </EmptyState>
        }
      />
    </Panel>
  );
}
