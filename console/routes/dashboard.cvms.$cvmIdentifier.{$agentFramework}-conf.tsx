import { createFileRoute } from '@tanstack/react-router';
import { AgentPage } from '../features/agent/AgentPage';
import { requireFramework } from './-agentFramework';

export const Route = createFileRoute('/dashboard/cvms/$cvmIdentifier/{$agentFramework}-conf')({
  beforeLoad: requireFramework,
  staticData: { crumb: null /* as above */, title: 'Agent' },
  component: AgentPage,
});
