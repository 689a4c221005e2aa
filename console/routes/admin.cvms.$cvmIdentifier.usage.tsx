import { createFileRoute } from '@tanstack/react-router';
import { usageSearch } from '../features/usage/search';
import { UsageTab } from './-UsageTab';

export const Route = createFileRoute('/admin/cvms/$cvmIdentifier/usage')({
  validateSearch: usageSearch,
  staticData: { crumb: 'Usage' },
  component: UsageTab,
});
