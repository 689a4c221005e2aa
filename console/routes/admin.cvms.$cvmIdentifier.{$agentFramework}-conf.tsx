import { createFileRoute } from '@tanstack/react-router';
import { agentSearch } from '../features/agent/search';
import { requireFramework } from './-agentFramework';
import { AgentTab } from './-AgentTab';

export const Route = createFileRoute('/admin/cvms/$cvmIdentifier/{$agentFramework}-conf')({
  validateSearch: agentSearch,
  beforeLoad: requireFramework,
  staticData: { crumb: 'Agent' },
  component: AgentTab,
});
