import { createFileRoute } from '@tanstack/react-router';
import { UsagePage } from '../features/cvms/UsagePage';

export const Route = createFileRoute('/$teamSlug/cvms/$vmUuid/usage')({
  staticData: { crumb: 'Usage' },
  component: UsagePage,
});
