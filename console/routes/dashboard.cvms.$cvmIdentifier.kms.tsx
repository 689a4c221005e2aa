import { createFileRoute } from '@tanstack/react-router';
import { KmsPage } from '../features/cvms/KmsPage';

export const Route = createFileRoute('/dashboard/cvms/$cvmIdentifier/kms')({
  staticData: { crumb: null /* as above */, title: 'KMS' },
  component: KmsPage,
});
