import { notFound } from '@tanstack/react-router';
import type { Session } from '../../generated/api/types.gen';

/** The tab is called after the agent framework the server is configured for; no other name has one. */
export function requireFramework({
  context,
  params,
}: {
  context: { session: Session };
  params: { agentFramework: string };
}): void {
  if (params.agentFramework !== context.session.environment.agent_framework) throw notFound();
}
