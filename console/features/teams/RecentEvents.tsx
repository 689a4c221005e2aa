import { useSuspenseQuery } from '@tanstack/react-query';
import type { ActivityEvent } from '../../../generated/api/types.gen';
import { cvmPath } from '../../lib/paths';
import { EventList, type EventItem } from '../../ui/data/EventList';
import { Panel } from '../../ui/layout/Panel';
import { recentEventsOptions } from './queries';

/** What changed lately, in the whole team. A team where nothing ever happened has no such part. */
export function RecentEvents({ teamSlug }: { teamSlug: string }) {
  const { data } = useSuspenseQuery(recentEventsOptions(teamSlug));
  const events = data.data;
  if (events.length === 0) return null;
  return (
    <Panel title="Recent events">
      <EventList label="Recent events" events={events.map((event) => eventItem(event, teamSlug))} />
    </Panel>
  );
}

function eventItem(event: ActivityEvent, teamSlug: string): EventItem {
  const { id, severity, message, created_at, cvm, actor } = event;
  return {
    id,
    severity,
    message,
    at: created_at,
    ...(cvm?.vm_uuid
      ? { subject: { label: cvm.name ?? 'CVM', href: cvmPath(teamSlug, cvm.vm_uuid, 'events') } }
      : {}),
    ...(actor?.username ? { actor: actor.username } : {}),
  };
}
