import { createFileRoute } from '@tanstack/react-router';
import { CertificatesPage } from '../features/cvms/CertificatesPage';

export const Route = createFileRoute('/$teamSlug/apps/$appId/cvms/$vmUuid/certificates')({
  staticData: { crumb: 'Certificates' },
  component: CertificatesPage,
});
