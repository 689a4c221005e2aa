import { useSuspenseQuery } from '@tanstack/react-query';
import type { ActivityEvent } from '../../../../generated/api/types.gen';
import { recentItems } from '../../../lib/activity/recentItems';
import { cvmPath } from '../../../lib/paths';
import { EventList } from '../../../ui/data/EventList';
import { Panel } from '../../../ui/layout/Panel';
import { recentEventsOptions } from './queries';

/** The team's recent activity. Hidden until there is any. */
export function RecentEvents({ teamSlug }: { teamSlug: string }) {
  const { data } = useSuspenseQuery(recentEventsOptions(teamSlug));
  const events = data.data;
  if (events.length === 0) return null;
  return (
    <Panel title="Recent events">
      <EventList
        label="Recent events"
        events={recentItems(events, {
          subjectOf: (event) => subjectOf(event, teamSlug),
          withCause: true,
          isPartial: true,
        }).slice(0, 8)}
      />
    </Panel>
  );
}

function subjectOf({ cvm }: ActivityEvent, teamSlug: string) {
  if (!cvm?.vm_uuid) return null;
  return { label: cvm.name ?? 'CVM', href: cvmPath(teamSlug, cvm.vm_uuid, 'events') };
}
