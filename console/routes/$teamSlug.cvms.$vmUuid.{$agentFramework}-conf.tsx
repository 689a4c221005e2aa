import { createFileRoute } from '@tanstack/react-router';
import { AgentPage } from '../features/agent/AgentPage';
import { requireFramework } from './-agentFramework';

export const Route = createFileRoute('/$teamSlug/cvms/$vmUuid/{$agentFramework}-conf')({
  beforeLoad: requireFramework,
  staticData: { crumb: 'Agent' },
  component: AgentPage,
});
