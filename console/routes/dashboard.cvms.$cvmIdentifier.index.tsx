import { createFileRoute } from '@tanstack/react-router';
import { OverviewPage } from '../features/cvms/OverviewPage';

export const Route = createFileRoute('/dashboard/cvms/$cvmIdentifier/')({
  staticData: { crumb: null /* as above */ },
  component: OverviewPage,
});
