import { createFileRoute } from '@tanstack/react-router';
import { NetworkPage } from '../features/cvms/NetworkPage';

export const Route = createFileRoute('/dashboard/cvms/$cvmIdentifier/network')({
  staticData: { crumb: null /* as above */, title: 'Network' },
  component: NetworkPage,
});
