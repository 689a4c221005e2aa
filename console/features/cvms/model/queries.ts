import {
  getCvmModelServerOptions,
  listAdminAiModelsOptions,
  listAdminAiUpstreamsOptions,
  listTeamAiModelsOptions,
} from '../../../../generated/api/@tanstack/react-query.gen';
import type { CvmModelServer } from '../../../../generated/api/types.gen';
import { inTeam } from '../../../api/client';

const WATCH_MS = 5_000;
const REST_MS = 30_000;
/** Of a log, read for its newest progress. */
const LOG_LINES = 40;

export const modelServerOptions = (
  teamSlug: string,
  cvm_id: string,
  { port, isRunning }: { port: number; isRunning: boolean },
) => ({
  ...getCvmModelServerOptions({ ...inTeam(teamSlug), path: { cvm_id }, query: { port } }),
  enabled: isRunning,
  staleTime: 0,
  refetchInterval: ({ state: { data } }: { state: { data?: CvmModelServer | undefined } }) =>
    data?.state === 'ready' ? REST_MS : WATCH_MS,
});

/** The end of a container's log, from the address in its row. */
export const logEndOptions = (log_endpoint: string | null) => ({
  queryKey: ['log end', log_endpoint],
  enabled: log_endpoint !== null,
  staleTime: 0,
  refetchInterval: WATCH_MS,
  queryFn: async ({ signal }: { signal: AbortSignal }) => {
    // Its origin is the server's public one, which may not be the page's.
    const { pathname, search } = new URL(log_endpoint ?? '', location.href);
    const reply = await fetch(`${pathname}${search}&text=true&bare=true&tail=${LOG_LINES}`, { signal });
    // What it says is a help, and its absence no fault.
    return reply.ok ? reply.text() : '';
  },
});

/** All that the AI gateway forwards to: for administrators. */
export const upstreamsOptions = (isEnabled: boolean) => ({
  ...listAdminAiUpstreamsOptions(),
  enabled: isEnabled,
});
export const modelsOptions = (isEnabled: boolean) => ({ ...listAdminAiModelsOptions(), enabled: isEnabled });

/** What the team offers to its own keys: for its members. */
export const teamModelsOptions = (teamSlug: string, isEnabled: boolean) => ({
  ...listTeamAiModelsOptions({ ...inTeam(teamSlug) }),
  enabled: isEnabled,
});
