import { createFileRoute } from '@tanstack/react-router';
import { cvmTab } from '../-tabs/cvmTabs';

export const Route = createFileRoute('/$teamSlug/apps/$appId/cvms/$vmUuid/kms')(cvmTab('kms'));
