import { createFileRoute } from '@tanstack/react-router';
import { eventsSearch } from '../../features/activity/search';
import { AppEvents } from '../-tabs/AppEvents';

export const Route = createFileRoute('/$teamSlug/apps/$appId/_pages/events')({
  validateSearch: eventsSearch,
  staticData: { crumb: 'Events' },
  component: function Events() {
    return <AppEvents {...Route.useParams()} search={Route.useSearch()} />;
  },
});
