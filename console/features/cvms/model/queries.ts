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
/** Number of log lines read to find the latest progress. */
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

/** The end of a container's log, from its log URL. */
export const logEndOptions = (log_endpoint: string | null) => ({
  queryKey: ['log end', log_endpoint],
  enabled: log_endpoint !== null,
  staleTime: 0,
  refetchInterval: WATCH_MS,
  queryFn: async ({ signal }: { signal: AbortSignal }) => {
    // The URL's origin is the server's public one, which may differ from the page's.
    const { pathname, search } = new URL(log_endpoint ?? '', location.href);
    const reply = await fetch(`${pathname}${search}&text=true&bare=true&tail=${LOG_LINES}`, { signal });
    // The log only adds detail, so its absence isn't an error.
    return reply.ok ? reply.text() : '';
  },
});

/** All upstreams of the AI gateway; for administrators. */
export const upstreamsOptions = (isEnabled: boolean) => ({
  ...listAdminAiUpstreamsOptions(),
  enabled: isEnabled,
});
export const modelsOptions = (isEnabled: boolean) => ({ ...listAdminAiModelsOptions(), enabled: isEnabled });

/** The models a team offers to its own keys; for its members. */
export const teamModelsOptions = (teamSlug: string, isEnabled: boolean) => ({
  ...listTeamAiModelsOptions({ ...inTeam(teamSlug) }),
  enabled: isEnabled,
});
