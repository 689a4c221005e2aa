import type { QueryClient, QueryKey } from '@tanstack/react-query';
import type { ActivityEvent } from '../../generated/api/types.gen';

/** Queries made stale by an event: an operation and optionally the IDs in its path. */
export interface Stale {
  operationIds: readonly string[];
  /** Limits the group to queries whose path has one of these IDs. */
  ids?: readonly string[];
}

const LISTS = ['listApps', 'getAppsSummary', 'listCvmsPaginated', 'listRecycledCvms'];
const APP = ['getApp', 'listAppCvms'];
const CVM = ['getCvm', 'getCvmState', 'getCvmNetwork', 'getCvmStats', 'getCvmComposition', 'getCvmPrices'];
const MEASURED = ['getCvmAttestation', 'getCvmComposeFile', 'getCvmDockerCompose', 'getCvmUserConfig'];
const CAPACITY = ['getWorkspaceQuotas', 'getWorkspaceDeletion', 'listAvailableTeepods'];

/**
 * Returns the queries an event makes stale. Boot steps arrive by the dozen and only affect one CVM and its
 * operation; lists refetch when the status changes.
 */
export function staleAfter(event: ActivityEvent): Stale[] {
  const cvmIds = [event.cvm?.vm_uuid, event.cvm?.id, event.cvm?.app_id].filter(
    (id) => typeof id === 'string',
  );
  const appIds = [event.app_id, event.cvm?.app_id].filter((id) => typeof id === 'string');
  const [subject = '', verb = ''] = event.kind.split('.');
  const stale: Stale[] = [{ operationIds: ['listEvents'] }];
  if (event.correlation_id !== null) {
    stale.push(
      { operationIds: ['listOperations'] },
      { operationIds: ['getOperation'], ids: [event.correlation_id] },
    );
  }
  // Deleted CVMs return 404, so their page refetches after the deletion, not during it.
  const goes = event.kind === 'delete.requested';
  if (cvmIds.length > 0 && !goes) {
    stale.push({ operationIds: [...CVM, 'listCvmOperations'], ids: cvmIds });
  }
  if (subject === 'domain') return [...stale, { operationIds: ['listCvmDomains'] }];
  if (subject === 'boot' || subject === 'host') return stale;
  stale.push({ operationIds: LISTS });
  // CVMs that start, stop or are resized change the team's costs.
  if (verb !== 'progress') stale.push({ operationIds: ['getBilling'] });
  if (appIds.length > 0) stale.push({ operationIds: APP, ids: appIds });
  if (subject === 'rollout') stale.push({ operationIds: ['listRollouts', 'getRollout', 'listAppRevisions'] });
  const changesCode = ['deploy', 'update', 'resize', 'replica'].includes(subject);
  if (changesCode) {
    if (appIds.length > 0)
      stale.push({ operationIds: ['listAppRevisions', 'listApprovals', 'getAppTemplate'], ids: appIds });
    if (cvmIds.length > 0) stale.push({ operationIds: MEASURED, ids: cvmIds });
  }
  // Capacity and quotas change when something is created or removed.
  if ((changesCode || subject === 'delete' || subject === 'purge') && verb !== 'progress')
    stale.push({ operationIds: CAPACITY });
  return stale;
}

/** Queries that any change to a CVM can make stale. */
export const LIVE: Stale = {
  operationIds: [
    ...LISTS,
    ...APP,
    ...CVM,
    ...CAPACITY,
    'listCvmDomains',
    'listEvents',
    'listOperations',
    'listCvmOperations',
    'getOperation',
    'listAppRevisions',
    'getAppRevision',
    'getAppTemplate',
    'listRollouts',
    'getRollout',
    'listApprovals',
    'listNotifications',
    'getBilling',
  ],
};

/** All queries that events keep current; refetched after a gap. */
export const FOLLOWED: readonly Stale[] = [LIVE, { operationIds: [...MEASURED, 'listAnnouncements'] }];

/** A change emits bursts of events, which are handled together. */
const GATHER_MS = 250;
/** How long a read in flight may take to finish, ms; one that is stuck is canceled. */
const READ_MS = 5_000;

/**
 * Refetches the queries that events make stale, a burst at a time. A refetch would cancel the query's read in flight, so
 * it waits for that one: otherwise, events that keep coming would leave slow reads without any response.
 */
export function gatherStale(
  client: QueryClient,
  teamSlug: string,
): { add: (stale: readonly Stale[]) => void; stop: () => void } {
  let gathered: Stale[] = [];
  let timer: ReturnType<typeof setTimeout> | undefined;
  /** Stale queries whose reads are in flight, and since when each has waited. */
  const waiting = new Map<string, number>();
  const flush = () => {
    const stale = gathered;
    gathered = [];
    timer = undefined;
    const due = new Set<string>();
    for (const { queryHash, queryKey, state } of client.getQueryCache().getAll()) {
      const since = waiting.get(queryHash) ?? Date.now();
      if (!waiting.delete(queryHash) && !isStale(queryKey, teamSlug, stale)) continue;
      if (state.fetchStatus === 'fetching' && Date.now() - since < READ_MS) waiting.set(queryHash, since);
      else due.add(queryHash);
    }
    void client.invalidateQueries({ predicate: ({ queryHash }) => due.has(queryHash) });
    if (waiting.size > 0) timer = setTimeout(flush, GATHER_MS);
  };
  return {
    add(stale) {
      gathered.push(...stale);
      timer ??= setTimeout(flush, GATHER_MS);
    },
    stop: () => clearTimeout(timer),
  };
}

/** Returns when the oldest live data on the page was read, in Unix milliseconds. */
export function shownSince(client: QueryClient, teamSlug: string): number | undefined {
  const shown = client.getQueryCache().findAll({
    type: 'active',
    predicate: ({ queryKey, state }) => state.dataUpdatedAt > 0 && isStale(queryKey, teamSlug, FOLLOWED),
  });
  if (shown.length === 0) return undefined;
  return shown.reduce((oldest, { state }) => Math.min(oldest, state.dataUpdatedAt), Infinity);
}

/** Whether a generated query key belongs to these groups and this team. Queries without a team belong to all. */
export function isStale(key: QueryKey, teamSlug: string, stale: readonly Stale[]): boolean {
  const head = key[0];
  if (!isGeneratedKey(head)) return false;
  const team = head.headers?.['X-Workspace'];
  if (team !== undefined && team !== teamSlug) return false;
  const ids = Object.values(head.path ?? {}).map(String);
  return stale.some(
    (group) =>
      group.operationIds.includes(head._id) &&
      (group.ids === undefined || ids.length === 0 || ids.some((id) => group.ids!.includes(id))),
  );
}

interface GeneratedKey {
  _id: string;
  headers?: Record<string, unknown>;
  path?: Record<string, unknown>;
}

function isGeneratedKey(value: unknown): value is GeneratedKey {
  return typeof value === 'object' && value !== null && '_id' in value && typeof value._id === 'string';
}
