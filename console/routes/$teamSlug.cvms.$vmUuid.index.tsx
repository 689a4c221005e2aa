import { createFileRoute } from '@tanstack/react-router';
import { OverviewPage } from '../features/cvms/OverviewPage';

export const Route = createFileRoute('/$teamSlug/cvms/$vmUuid/')({
  staticData: { crumb: null /* the CVM itself is the crumb */ },
  component: function Overview() {
    return <OverviewPage {...Route.useParams()} />;
  },
});
