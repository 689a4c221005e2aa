import { createFileRoute } from '@tanstack/react-router';
import { NetworkPage } from '../features/cvms/NetworkPage';

export const Route = createFileRoute('/admin/cvms/$cvmIdentifier/network')({
  staticData: { crumb: 'Network' },
  component: NetworkPage,
});
