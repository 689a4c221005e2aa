import { createFileRoute } from '@tanstack/react-router';
import { EventsPage } from '../features/cvms/EventsPage';
import { eventsSearch } from '../features/cvms/search';

export const Route = createFileRoute('/dashboard/cvms/$cvmIdentifier/events')({
  validateSearch: eventsSearch,
  staticData: { crumb: null /* as above */, title: 'Events' },
  component: EventsPage,
});
