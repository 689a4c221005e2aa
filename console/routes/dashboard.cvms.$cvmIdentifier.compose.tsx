import { createFileRoute } from '@tanstack/react-router';
import { ComposeTab } from './-ComposeTab';

export const Route = createFileRoute('/dashboard/cvms/$cvmIdentifier/compose')({
  staticData: { crumb: null /* as above */, title: 'Compose' },
  component: ComposeTab,
});
