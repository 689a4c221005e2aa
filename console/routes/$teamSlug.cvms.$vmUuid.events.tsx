import { createFileRoute } from '@tanstack/react-router';
import { EventsPage, eventsSearch } from '../features/cvms/EventsPage';

export const Route = createFileRoute('/$teamSlug/cvms/$vmUuid/events')({
  validateSearch: eventsSearch,
  staticData: { crumb: 'Events' },
  component: function Events() {
    return <EventsPage {...Route.useParams()} search={Route.useSearch()} />;
  },
});
