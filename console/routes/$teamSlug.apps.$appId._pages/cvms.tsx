import { createFileRoute } from '@tanstack/react-router';
import { CvmsPage } from '../../features/apps/CvmsPage';

export const Route = createFileRoute('/$teamSlug/apps/$appId/_pages/cvms')({
  staticData: { crumb: 'CVMs' },
  component: function Cvms() {
    return <CvmsPage {...Route.useParams()} />;
  },
});
