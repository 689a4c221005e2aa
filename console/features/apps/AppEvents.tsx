import { useSuspenseQuery } from '@tanstack/react-query';
import { cvmPath } from '../../lib/paths';
import { EventList } from '../../ui/data/EventList';
import { Panel } from '../../ui/layout/Panel';
import { appEventsOptions } from './queries';

export function AppEvents({ teamSlug, appId }: { teamSlug: string; appId: string }) {
  const { data } = useSuspenseQuery(appEventsOptions(teamSlug, appId));
  if (data.data.length === 0) return null;
  return (
    <Panel title="Recent events">
      <EventList
        label="Recent events"
        events={data.data.map(({ id, severity, message, created_at, cvm, actor }) => ({
          id,
          severity,
          message,
          at: created_at,
          ...(cvm?.vm_uuid
            ? { subject: { label: cvm.name ?? 'CVM', href: cvmPath(teamSlug, cvm.vm_uuid, 'events') } }
            : {}),
          ...(actor?.username ? { actor: actor.username } : {}),
        }))}
      />
    </Panel>
  );
}
