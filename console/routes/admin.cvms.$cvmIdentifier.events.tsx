import { createFileRoute } from '@tanstack/react-router';
import { eventsSearch } from '../features/events/search';
import { CvmEvents } from './-CvmEvents';

export const Route = createFileRoute('/admin/cvms/$cvmIdentifier/events')({
  validateSearch: eventsSearch,
  staticData: { crumb: 'Events' },
  component: CvmEvents,
});
