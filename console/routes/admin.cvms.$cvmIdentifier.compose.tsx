import { createFileRoute } from '@tanstack/react-router';
import { composeSearch, ComposeTab } from './-ComposeTab';

export const Route = createFileRoute('/admin/cvms/$cvmIdentifier/compose')({
  validateSearch: composeSearch,
  staticData: { crumb: 'Compose' },
  component: ComposeTab,
});
