import { createFileRoute } from '@tanstack/react-router';
import { cvmTab } from '../../-tabs/cvmTabs';

export const Route = createFileRoute('/dashboard/cvms/$cvmIdentifier/')(cvmTab('overview'));
