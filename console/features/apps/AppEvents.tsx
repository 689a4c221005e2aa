import { useSuspenseQuery } from '@tanstack/react-query';
import type { ActivityEvent } from '../../../generated/api/types.gen';
import { appCvmPath, appPath } from '../../lib/paths';
import { EventList, type EventItem } from '../../ui/data/EventList';
import { Panel } from '../../ui/layout/Panel';
import { TextLink } from '../../ui/link';
import { appEventsOptions } from './queries';

interface Props {
  teamSlug: string;
  appId: string;
}

/** What changed lately. */
export function RecentEvents({ teamSlug, appId }: Props) {
  const { data } = useSuspenseQuery(appEventsOptions(teamSlug, appId));
  const events = data.data;
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
