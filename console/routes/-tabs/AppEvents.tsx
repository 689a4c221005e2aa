import { useNavigate } from '@tanstack/react-router';
import { EventsView } from '../../features/activity/EventsView';
import type { EventsSearch } from '../../features/activity/search';
import { appCvmPath, appPath } from '../../lib/paths';

/** Events of an app and all of its CVMs. */
export function AppEvents({
  teamSlug,
  appId,
  search,
}: {
  teamSlug: string;
  appId: string;
  search: EventsSearch;
}) {
  const navigate = useNavigate();
  const cvmOf = (vm_uuid: string | null | undefined, tab: 'events' | 'logs') =>
    vm_uuid ? appCvmPath(teamSlug, appId, vm_uuid, tab) : null;
  return (
    <EventsView
      teamSlug={teamSlug}
      scope={{ app_id: appId }}
      search={search}
      onSearch={(next, { replace }) =>
        void navigate({ to: '.', search: { ...next }, replace, resetScroll: false })
      }
      subtitle="Events of the app and its CVMs."
      links={{
        cvm: ({ cvm }) => cvmOf(cvm?.vm_uuid, 'events'),
        log({ cvm, created_at }) {
          const logs = cvmOf(cvm?.vm_uuid, 'logs');
          return logs && `${logs}?at=${encodeURIComponent(created_at)}`;
        },
        self: ({ id }) => `${appPath(teamSlug, appId, 'events')}?event=${id}`,
      }}
    />
  );
}
