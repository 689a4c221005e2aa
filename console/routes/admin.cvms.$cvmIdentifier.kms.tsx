import { createFileRoute } from '@tanstack/react-router';
import { KmsPage } from '../features/cvms/KmsPage';

export const Route = createFileRoute('/admin/cvms/$cvmIdentifier/kms')({
  staticData: { crumb: 'KMS' },
  component: KmsPage,
});
