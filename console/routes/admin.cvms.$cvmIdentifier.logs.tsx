import { createFileRoute } from '@tanstack/react-router';
import { LogsPage } from '../features/cvms/LogsPage';
import { logsSearch } from '../features/cvms/search';

export const Route = createFileRoute('/admin/cvms/$cvmIdentifier/logs')({
  validateSearch: logsSearch,
  staticData: { crumb: 'Logs' },
  component: LogsPage,
});
