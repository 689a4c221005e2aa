import { createFileRoute } from '@tanstack/react-router';
import { CertificatesPage } from '../features/cvms/CertificatesPage';

export const Route = createFileRoute('/dashboard/cvms/$cvmIdentifier/certificates')({
  staticData: { crumb: null /* as above */, title: 'Certificates' },
  component: CertificatesPage,
});
