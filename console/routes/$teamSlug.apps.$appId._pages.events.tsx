import { createFileRoute } from '@tanstack/react-router';
import { EventsPage } from '../features/apps/EventsPage';

export const Route = createFileRoute('/$teamSlug/apps/$appId/_pages/events')({
  staticData: { crumb: 'Events' },
  component: function Events() {
    return <EventsPage {...Route.useParams()} />;
  },
});
