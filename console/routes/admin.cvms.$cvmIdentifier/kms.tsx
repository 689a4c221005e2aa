import { createFileRoute } from '@tanstack/react-router';
import { cvmTab } from '../-tabs/cvmTabs';

export const Route = createFileRoute('/admin/cvms/$cvmIdentifier/kms')(cvmTab('kms'));
