import Button from '@mui/material/Button';
import { styled } from '@mui/material/styles';
import { useInfiniteQuery, useMutation } from '@tanstack/react-query';
import { markNotificationsReadMutation } from '../../../generated/api/@tanstack/react-query.gen';
import { problemOf } from '../../api/problem';
import { useStale } from '../../api/useStale';
import { accountPath } from '../../lib/paths';
import { EmptyState } from '../../ui/feedback/EmptyState';
import { ErrorNotice } from '../../ui/feedback/ErrorNotice';
import { RowsSkeleton } from '../../ui/feedback/Skeletons';
import { TextLink } from '../../ui/link';
import { space, type } from '../../ui/theme';
import { NotificationRow } from './NotificationRow';
import { notificationsOptions } from './queries';

const Head = styled('div')({
  display: 'flex',
  flexWrap: 'wrap',
  alignItems: 'center',
  gap: space(2),
  marginBottom: space(2),
});
const Title = styled('h2')({ ...type.heading, flex: 1 });
const List = styled('ol')({ display: 'grid' });
const Foot = styled('div')({
  ...type.small,
  display: 'flex',
  justifyContent: 'space-between',
  alignItems: 'center',
  gap: space(3),
  marginTop: space(3),
});

/** Newest on top; following one, or saying so, makes it read. */
export function NotificationList({ onLeave }: { onLeave: () => void }) {
  const list = useInfiniteQuery(notificationsOptions());
  const stale = useStale();
  const read = useMutation({
    ...markNotificationsReadMutation(),
    onSettled: () => stale('listNotifications'),
  });
  const rows = list.data?.pages.flatMap((page) => page.data);
  const unread = list.data?.pages[0]?.unread ?? 0;
  const problem =
    problemOf(read.error, 'They are still unread') ??
    problemOf(rows ? null : list.error, 'Your notifications could not be read', () => void list.refetch());
  return (
    <>
      <Head>
        <Title>Notifications</Title>
        {unread > 0 && (
          <Button size="small" disabled={read.isPending} onClick={() => read.mutate({ body: { all: true } })}>
            Mark all read
          </Button>
        )}
      </Head>
      {problem && <ErrorNotice problem={problem} />}
      {rows === undefined ? (
        !problem && <RowsSkeleton rows={3} />
      ) : rows.length === 0 ? (
        <EmptyState title="Nothing to tell">
          Failed operations, trouble with hosts, full disks and tokens that expire are told here.
        </EmptyState>
      ) : (
        <List aria-label="Notifications">
          {rows.map((notification) => (
            <NotificationRow
              key={notification.id}
              notification={notification}
              onFollow={() => {
                if (notification.read_at === null) read.mutate({ body: { ids: [notification.id] } });
                onLeave();
              }}
              onRead={() => read.mutate({ body: { ids: [notification.id] } })}
            />
          ))}
        </List>
      )}
      <Foot>
        <TextLink href={accountPath('notifications')} onClick={onLeave}>
          What you are told, and how
        </TextLink>
        {list.hasNextPage && (
          <Button size="small" disabled={list.isFetchingNextPage} onClick={() => void list.fetchNextPage()}>
            {list.isFetchingNextPage ? 'Reading…' : 'Show older'}
          </Button>
        )}
      </Foot>
    </>
  );
}
