import Button from '@mui/material/Button';
import { styled } from '@mui/material/styles';
import { useInfiniteQuery, useSuspenseQuery } from '@tanstack/react-query';
import type { ActivityEvent } from '../../../generated/api/types.gen';
import { problemOf } from '../../api/problem';
import { appCvmPath, appPath } from '../../lib/paths';
import { EventList, type EventItem } from '../../ui/data/EventList';
import { EmptyState } from '../../ui/feedback/EmptyState';
import { ErrorNotice } from '../../ui/feedback/ErrorNotice';
import { RowsSkeleton } from '../../ui/feedback/Skeletons';
import { Panel } from '../../ui/layout/Panel';
import { TextLink } from '../../ui/link';
import { space } from '../../ui/theme';
import { allEventsOptions, appEventsOptions } from './queries';

const More = styled('div')({ marginTop: space(3) });
const SHOWN = 8;

interface Props {
  teamSlug: string;
  appId: string;
}

/** What changed lately. A boot is a dozen events of one deployment, which is itself in the list. */
export function RecentEvents({ teamSlug, appId }: Props) {
  const { data } = useSuspenseQuery(appEventsOptions(teamSlug, appId));
  const events = data.data.filter((event) => !event.kind.startsWith('boot.')).slice(0, SHOWN);
  if (events.length === 0) return null;
  return (
    <Panel
      title="Recent events"
      actions={<TextLink href={appPath(teamSlug, appId, 'events')}>All events</TextLink>}
    >
      <EventList label="Recent events" events={events.map(itemOf(teamSlug, appId))} />
    </Panel>
  );
}

/** Everything that happened to the app and to its CVMs, newest first. */
export function AllEvents({ teamSlug, appId }: Props) {
  const { data, error, refetch, hasNextPage, fetchNextPage, isFetchingNextPage } = useInfiniteQuery(
    allEventsOptions(teamSlug, appId),
  );
  const events = data?.pages.flatMap((page) => page.data);
  const problem = data ? null : problemOf(error, 'The events could not be read', () => void refetch());
  return (
    <Panel title="Events" subtitle="Of the app and of each of its CVMs, newest first.">
      {problem ? (
        <ErrorNotice problem={problem} />
      ) : !events ? (
        <RowsSkeleton rows={8} />
      ) : events.length === 0 ? (
        <EmptyState>Nothing has happened yet.</EmptyState>
      ) : (
        <EventList label="Events" events={events.map(itemOf(teamSlug, appId))} />
      )}
      {hasNextPage && (
        <More>
          <Button size="small" disabled={isFetchingNextPage} onClick={() => void fetchNextPage()}>
            {isFetchingNextPage ? 'Reading…' : 'Show older'}
          </Button>
        </More>
      )}
    </Panel>
  );
}

const itemOf =
  (teamSlug: string, appId: string) =>
  ({ id, severity, message, created_at, cvm, actor }: ActivityEvent): EventItem => ({
    id,
    severity,
    message,
    at: created_at,
    ...(cvm?.vm_uuid
      ? {
          subject: {
            label: cvm.name ?? 'CVM',
            href: appCvmPath(teamSlug, appId, cvm.vm_uuid, 'events'),
          },
        }
      : {}),
    ...(actor?.username ? { actor: actor.username } : {}),
  });
