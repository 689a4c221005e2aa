import { createFileRoute } from '@tanstack/react-router';
import { cvmTabWithoutCrumb } from '../../-tabs/cvmTabs';

export const Route = createFileRoute('/dashboard/cvms/$cvmIdentifier/certificates')(
  cvmTabWithoutCrumb('certificates'),
);
