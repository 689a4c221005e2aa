import { createFileRoute } from '@tanstack/react-router';
import { LogsPage } from '../features/cvms/LogsPage';
import { logsSearch } from '../features/cvms/search';

export const Route = createFileRoute('/dashboard/cvms/$cvmIdentifier/logs')({
  validateSearch: logsSearch,
  staticData: { crumb: null /* as above */, title: 'Logs' },
  component: LogsPage,
});
