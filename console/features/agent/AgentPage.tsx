import { EmptyState } from '../../ui/feedback/EmptyState';

/** Replaced in the next commit. */
export function AgentPage() {
  return (
    <EmptyState title="No agent runs here">None of the services in the compose file is an agent.</EmptyState>
  );
}
