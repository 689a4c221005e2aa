import { createFileRoute } from '@tanstack/react-router';
import { cvmTab } from './-cvmTabs';

export const Route = createFileRoute('/$teamSlug/apps/$appId/cvms/$vmUuid/compose')(cvmTab('compose'));
