import { createFileRoute } from '@tanstack/react-router';
import { eventsSearch } from '../features/events/search';
import { CvmEvents } from './-CvmEvents';

export const Route = createFileRoute('/$teamSlug/apps/$appId/cvms/$vmUuid/events')({
  validateSearch: eventsSearch,
  staticData: { crumb: 'Events' },
  component: CvmEvents,
});
