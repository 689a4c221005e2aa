import { PendingButton } from '../../ui/controls/PendingButton';
import styled from '@emotion/styled';
import { useInfiniteQuery, useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { markNotificationsReadMutation } from '../../../generated/api/@tanstack/react-query.gen';
import type { Notification } from '../../../generated/api/types.gen';
import { problemOf } from '../../api/problem';
import { useStale } from '../../api/useStale';
import { accountPath } from '../../lib/paths';
import { MoreButton } from '../../ui/data/MoreButton';
import { EmptyState } from '../../ui/feedback/EmptyState';
import { ErrorNotice } from '../../ui/feedback/ErrorNotice';
import { RowsSkeleton } from '../../ui/feedback/Skeletons';
import { TextLink } from '../../ui/link';
import { space, type } from '../../ui/theme';
import { useFocusBefore } from '../../ui/useFocusBefore';
import { groupNotifications, type NotificationGroup } from './groups';
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

/** Notifications, newest first. Following one or marking it makes it read. */
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
    problemOf(read.error, 'Couldn’t mark notifications as read') ??
    problemOf(rows ? null : list.error, 'Couldn’t load your notifications', () => void list.refetch());
  return (
    <>
      <Head>
        <Title>Notifications</Title>
        {unread > 0 && (
          <MarkAllButton pending={read.isPending} onClick={() => read.mutate({ body: { all: true } })} />
        )}
      </Head>
      {problem && <ErrorNotice problem={problem} />}
      {rows === undefined ? (
        !problem && <RowsSkeleton rows={3} />
      ) : rows.length === 0 ? (
        <EmptyState picture="notifications" title="No notifications">
          Failed operations, host outages, full disks and expiring tokens appear here.
        </EmptyState>
      ) : (
        <List aria-label="Notifications">
          {groupNotifications(rows).map((group) => (
            <Group
              key={group.lead.id}
              group={group}
              onRead={(ids) => read.mutate({ body: { ids } })}
              onLeave={onLeave}
            />
          ))}
        </List>
      )}
      <Foot>
        <TextLink href={accountPath('notifications')} onClick={onLeave}>
          Notification settings
        </TextLink>
        <MoreButton list={list} inline />
      </Foot>
    </>
  );
}

function MarkAllButton(props: { pending: boolean; onClick: () => void }) {
  const ref = useFocusBefore();
  return (
    <PendingButton ref={ref} size="small" {...props}>
      Mark all as read
    </PendingButton>
  );
}

interface GroupProps {
  group: NotificationGroup;
  onRead: (ids: string[]) => void;
  onLeave: () => void;
}

/** The newest notification of a group; the others after a click. Marking a folded group marks all of it. */
function Group({ group: { lead, rest }, onRead, onLeave }: GroupProps) {
  const [open, setOpen] = useState(false);
  const unreadIds = (rows: readonly Notification[]) =>
    rows.filter(({ read_at }) => read_at === null).map(({ id }) => id);
  const row = (notification: Notification, covered: readonly Notification[]) => ({
    notification,
    unread: unreadIds(covered).length > 0,
    onFollow: () => {
      const ids = unreadIds(covered);
      if (ids.length > 0) onRead(ids);
      onLeave();
    },
    onRead: () => onRead(unreadIds(covered)),
  });
  return (
    <>
      <NotificationRow
        {...row(lead, open ? [lead] : [lead, ...rest])}
        {...(rest.length > 0 ? { more: { count: rest.length, open, onToggle: () => setOpen(!open) } } : {})}
      />
      {open && rest.map((one) => <NotificationRow key={one.id} {...row(one, [one])} />)}
    </>
  );
}
