import { createFileRoute } from '@tanstack/react-router';
import { LogsPage, logsSearch } from '../features/cvms/LogsPage';

export const Route = createFileRoute('/$teamSlug/cvms/$vmUuid/logs')({
  validateSearch: logsSearch,
  staticData: { crumb: 'Logs' },
  component: function Logs() {
    return <LogsPage {...Route.useParams()} search={Route.useSearch()} />;
  },
});
