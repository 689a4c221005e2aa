import { createFileRoute } from '@tanstack/react-router';
import { ComposeTab } from './-ComposeTab';

export const Route = createFileRoute('/$teamSlug/cvms/$vmUuid/compose')({
  staticData: { crumb: 'Compose' },
  component: ComposeTab,
});
