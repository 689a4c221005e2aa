import { useNavigate, useSearch } from '@tanstack/react-router';
import { useCvm, useCvmAddress, useCvmLink } from '../../features/cvms/address';
import { EventsPage, OperationOfEvent } from '../../features/cvms/EventsPage';
import { EventsView } from '../../features/activity/EventsView';
import { eventsSearch } from '../../features/activity/search';

/** A CVM's events tab, at any of its addresses. */
export function CvmEvents() {
  const { teamSlug, vmUuid } = useCvmAddress();
  const link = useCvmLink();
  const navigate = useNavigate();
  const { created_at } = useCvm();
  return (
    <EventsPage
      events={
        <EventsView
          teamSlug={teamSlug}
          scope={{ cvm: vmUuid }}
          search={eventsSearch(useSearch({ strict: false }))}
          onSearch={(search, { replace }) =>
            void navigate({ to: '.', search: { ...search }, replace, resetScroll: false })
          }
          links={{
            cvm: () => null,
            log: (event) =>
              event.created_at < (created_at ?? '') ? null : link('logs', { at: event.created_at }),
            self: ({ id }) => link('events', { event: id }),
          }}
          operation={(correlation_id, causeShown) => <OperationOfEvent {...{ correlation_id, causeShown }} />}
        />
      }
    />
  );
}
