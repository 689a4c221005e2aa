import { createFileRoute } from '@tanstack/react-router';
import { OverviewPage } from '../features/cvms/OverviewPage';

export const Route = createFileRoute('/$teamSlug/apps/$appId/cvms/$vmUuid/')({
  staticData: { crumb: null /* the CVM itself is the crumb */ },
  component: OverviewPage,
});
