import { createFileRoute } from '@tanstack/react-router';
import { EventsPage } from '../features/cvms/EventsPage';
import { eventsSearch } from '../features/cvms/search';

export const Route = createFileRoute('/$teamSlug/cvms/$vmUuid/events')({
  validateSearch: eventsSearch,
  staticData: { crumb: 'Events' },
  component: EventsPage,
});
