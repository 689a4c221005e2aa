import { useSuspenseQuery } from '@tanstack/react-query';
import type { ActivityEvent } from '../../../generated/api/types.gen';
import { recentItems } from '../../lib/activity/recentItems';
import { appCvmPath, appPath } from '../../lib/paths';
import { EventList } from '../../ui/data/EventList';
import { Panel } from '../../ui/layout/Panel';
import { TextLink } from '../../ui/link';
import { appEventsOptions } from './queries';

interface Props {
  teamSlug: string;
  appId: string;
}

/** The app's recent activity. Hidden until there is any. */
export function RecentEvents({ teamSlug, appId }: Props) {
  const { data } = useSuspenseQuery(appEventsOptions(teamSlug, appId));
  const events = data.data;
  if (events.length === 0) return null;
  return (
    <Panel
      title="Recent events"
      actions={<TextLink href={appPath(teamSlug, appId, 'events')}>All events</TextLink>}
    >
      <EventList
        label="Recent events"
        events={recentItems(events, { subjectOf: (event) => subjectOf(event, teamSlug, appId) }).slice(0, 8)}
      />
    </Panel>
  );
}

function subjectOf({ cvm }: ActivityEvent, teamSlug: string, appId: string) {
  if (!cvm?.vm_uuid) return null;
  return { label: cvm.name ?? 'CVM', href: appCvmPath(teamSlug, appId, cvm.vm_uuid, 'events') };
}
