import BellIcon from 'lucide-react/icons/bell';
import styled from '@emotion/styled';
import { useInfiniteQuery } from '@tanstack/react-query';
import { Suspense, useState } from 'react';
import { IconAction } from '../../ui/controls/IconAction';
import { RowsSkeleton } from '../../ui/feedback/Skeletons';
import { color, space, tabular, type } from '../../ui/theme';
import { notificationsOptions } from './queries';
import { lazyWithRetry } from '../../ui/lazyWithRetry';
import { OnceOpened } from '../../ui/OnceOpened';

const Popover = lazyWithRetry(() => import('../../ui/mui/Popover').then((m) => ({ default: m.Popover })));
const NotificationList = lazyWithRetry(() =>
  import('./NotificationList').then((m) => ({ default: m.NotificationList })),
);

const Icon = styled('span')({ position: 'relative', display: 'inline-flex' });
const Badge = styled('span')({
  ...type.caption,
  ...tabular,
  position: 'absolute',
  top: -7,
  left: 9,
  minWidth: 16,
  height: 16,
  padding: '0 4px',
  borderRadius: 8,
  fontSize: 10,
  lineHeight: '16px',
  fontWeight: 650,
  textAlign: 'center',
  backgroundColor: color.accent,
  color: color.onAccent,
});
const Sheet = styled('div')({ width: 400, maxWidth: 'calc(100vw - 32px)', padding: space(4) });

/** The bell in the top bar: the unread count and the list of notifications. */
export function Bell() {
  const [anchor, setAnchor] = useState<HTMLElement | null>(null);
  const { data } = useInfiniteQuery(notificationsOptions());
  const unread = data?.pages[0]?.unread ?? 0;
  return (
    <>
      <IconAction
        label={unread === 0 ? 'Notifications' : `Notifications: ${unread} unread`}
        aria-haspopup="dialog"
        aria-expanded={anchor !== null}
        onClick={(event) => setAnchor(event.currentTarget)}
      >
        <Icon>
          <BellIcon />
          {unread > 0 && <Badge aria-hidden>{unread > 99 ? '99+' : unread}</Badge>}
        </Icon>
      </IconAction>
      <OnceOpened open={anchor !== null}>
        <Popover
          open={anchor !== null}
          anchorEl={anchor}
          onClose={() => setAnchor(null)}
          anchorOrigin={{ vertical: 'bottom', horizontal: 'right' }}
          transformOrigin={{ vertical: 'top', horizontal: 'right' }}
          slotProps={{ paper: { role: 'dialog', 'aria-label': 'Notifications' } }}
        >
          <Sheet>
            <Suspense fallback={<RowsSkeleton rows={3} />}>
              <NotificationList onLeave={() => setAnchor(null)} />
            </Suspense>
          </Sheet>
        </Popover>
      </OnceOpened>
    </>
  );
}
