import { createFileRoute } from '@tanstack/react-router';
import { OverviewPage } from '../features/cvms/OverviewPage';

export const Route = createFileRoute('/admin/cvms/$cvmIdentifier/')({
  staticData: { crumb: null /* the CVM itself is the crumb */ },
  component: OverviewPage,
});
