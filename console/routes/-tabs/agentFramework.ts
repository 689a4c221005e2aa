import { notFound } from '@tanstack/react-router';
import type { Session } from '../../../generated/api/types.gen';

/** The tab is named after the server's configured agent framework; any other name is not found. */
export function requireFramework({
  context,
  params,
}: {
  context: { session: Session };
  params: { agentFramework: string };
}): void {
  if (params.agentFramework !== context.session.environment.agent_framework) throw notFound();
}
