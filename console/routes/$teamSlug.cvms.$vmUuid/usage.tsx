import { createFileRoute } from '@tanstack/react-router';
import { cvmTab } from '../-tabs/cvmTabs';

export const Route = createFileRoute('/$teamSlug/cvms/$vmUuid/usage')(cvmTab('usage'));
