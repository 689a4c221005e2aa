import { createFileRoute } from '@tanstack/react-router';
import { composeSearch, ComposeTab } from './-ComposeTab';

export const Route = createFileRoute('/dashboard/cvms/$cvmIdentifier/compose')({
  validateSearch: composeSearch,
  staticData: { crumb: null /* as above */, title: 'Compose' },
  component: ComposeTab,
});
