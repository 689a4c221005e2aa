import { createFileRoute } from '@tanstack/react-router';
import { composeSearch, ComposeTab } from './-ComposeTab';

export const Route = createFileRoute('/$teamSlug/cvms/$vmUuid/compose')({
  validateSearch: composeSearch,
  staticData: { crumb: 'Compose' },
  component: ComposeTab,
});
