import { useQuery } from '@tanstack/react-query';
import { listOperationsOptions } from '../../generated/api/@tanstack/react-query.gen';
import type { Operation } from '../../generated/api/types.gen';
import { inTeam } from '../api/client';
import { operationInProgress } from '../lib/cvms/operationWords';
import { cvmPath, teamPath } from '../lib/paths';
import { OperationsButton, type OperationInFlight } from '../ui/layout/Menus';

/** Polling interval while an operation is in progress, in case an event is lost. */
const WATCH_MS = 10_000;

const liveOperationsOptions = (teamSlug: string) => ({
  ...listOperationsOptions({ ...inTeam(teamSlug), query: { state: 'live', limit: 50 } }),
});

/** The team's operations in progress, reachable from every page. */
export function Operations({ teamSlug }: { teamSlug: string }) {
  const { data } = useQuery({
    ...liveOperationsOptions(teamSlug),
    refetchInterval: (query) => ((query.state.data?.data.length ?? 0) > 0 ? WATCH_MS : false),
  });
  return (
    <OperationsButton
      operations={(data?.data ?? []).map((operation) => inFlight(operation, teamSlug))}
      hasMore={data?.pagination.has_more ?? false}
    />
  );
}

function inFlight(operation: Operation, teamSlug: string): OperationInFlight {
  const { correlation_id, type, state, steps, cvm } = operation;
  const step = steps.findLast((candidate) => candidate.state === 'running') ?? steps.at(-1);
  const detail = state === 'queued' ? 'Queued' : step && (step.detail ?? step.name.replaceAll('_', ' '));
  return {
    id: correlation_id,
    title: operationInProgress(type, operation),
    subject: cvm?.name ?? 'a CVM',
    href: cvm?.vm_uuid ? cvmPath(teamSlug, cvm.vm_uuid, 'events') : teamPath(teamSlug),
    ...(detail ? { detail } : {}),
  };
}
