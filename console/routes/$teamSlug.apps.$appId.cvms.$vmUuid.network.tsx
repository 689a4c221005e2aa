import { createFileRoute } from '@tanstack/react-router';
import { NetworkPage } from '../features/cvms/NetworkPage';

export const Route = createFileRoute('/$teamSlug/apps/$appId/cvms/$vmUuid/network')({
  staticData: { crumb: 'Network' },
  component: NetworkPage,
});
