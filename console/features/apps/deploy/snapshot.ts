import { queryOptions } from '@tanstack/react-query';
import { getCvm } from '../../../../generated/api/sdk.gen';
import type { CvmDetail } from '../../../../generated/api/types.gen';
import { inTeam } from '../../../api/client';

/** What an editor starts from, with the server's version tag. */
export interface Snapshot {
  cvm: CvmDetail;
  etag: string;
}

/** Refetched when another revision is running, but never while the user is editing. */
export const snapshotOptions = (teamSlug: string, cvm_id: string, running: string) =>
  queryOptions({
    queryKey: ['cvm-snapshot', teamSlug, cvm_id, running],
    queryFn: ({ signal }) => readSnapshot(teamSlug, cvm_id, signal),
    staleTime: Infinity,
    gcTime: 0,
  });

export async function readSnapshot(
  teamSlug: string,
  cvm_id: string,
  signal?: AbortSignal,
): Promise<Snapshot> {
  const { data, response } = await getCvm({
    ...inTeam(teamSlug),
    path: { cvm_id },
    throwOnError: true,
    ...(signal ? { signal } : {}),
  });
  return { cvm: data, etag: response.headers.get('etag') ?? '' };
}

/** Any change to this value outdates a snapshot: it covers every field the compose tab edits. */
export const runningOf = (cvm: CvmDetail): string =>
  JSON.stringify([
    cvm.compose_hash,
    cvm.revision_number,
    cvm.public_logs,
    cvm.public_sysinfo,
    cvm.public_tcbinfo,
  ]);
