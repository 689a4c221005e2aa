import { createFileRoute } from '@tanstack/react-router';
import { KmsPage } from '../features/cvms/KmsPage';

export const Route = createFileRoute('/$teamSlug/apps/$appId/cvms/$vmUuid/kms')({
  staticData: { crumb: 'KMS' },
  component: KmsPage,
});
