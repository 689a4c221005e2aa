import { createFileRoute } from '@tanstack/react-router';
import { eventsSearch } from '../features/events/search';
import { CvmEvents } from './-CvmEvents';

export const Route = createFileRoute('/dashboard/cvms/$cvmIdentifier/events')({
  validateSearch: eventsSearch,
  staticData: { crumb: null /* as above */, title: 'Events' },
  component: CvmEvents,
});
