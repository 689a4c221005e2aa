import { createFileRoute } from '@tanstack/react-router';
import { NetworkPage } from '../features/cvms/NetworkPage';

export const Route = createFileRoute('/$teamSlug/cvms/$vmUuid/network')({
  staticData: { crumb: 'Network' },
  component: NetworkPage,
});
