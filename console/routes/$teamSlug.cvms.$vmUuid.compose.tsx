import { createFileRoute } from '@tanstack/react-router';
import { UpdatePage } from '../features/deploy/UpdatePage';

export const Route = createFileRoute('/$teamSlug/cvms/$vmUuid/compose')({
  staticData: { crumb: 'Compose' },
  component: function Compose() {
    return <UpdatePage {...Route.useParams()} />;
  },
});
