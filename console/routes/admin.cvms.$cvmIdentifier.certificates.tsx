import { createFileRoute } from '@tanstack/react-router';
import { CertificatesPage } from '../features/cvms/CertificatesPage';

export const Route = createFileRoute('/admin/cvms/$cvmIdentifier/certificates')({
  staticData: { crumb: 'Certificates' },
  component: CertificatesPage,
});
