import { useQuery } from '@tanstack/react-query';
import type { AdminBulkJob, AdminBulkJobRow } from '../../generated/api/types.gen';
import { fetchJson } from '../http';

/** Client for bulk jobs, which the server runs row by row. */

const API = '/api/v1/admin/bulk-jobs';

/** Maximum rows of a job (`CreateAdminBulkJob`). */
export const MAX_ROWS = 10_000;
const POLL_MS = 1_000;

export interface NewBulkJob {
  resource: string;
  action: string;
  /** Either `ids` or `filter`. */
  ids?: readonly (string | number)[];
  filter?: Readonly<Record<string, unknown>>;
  body?: Readonly<Record<string, unknown>>;
  expected_total: number;
}

/** Starts a job. @throws HttpError, for example if the number of matching rows has changed */
export async function startBulkJob(job: NewBulkJob, idempotency_key: string): Promise<AdminBulkJob> {
  const { json } = await fetchJson(API, {
    method: 'POST',
    body: JSON.stringify(job),
    headers: { 'Idempotency-Key': idempotency_key },
  });
  return json as AdminBulkJob;
}

export const isFinished = ({ state }: Pick<AdminBulkJob, 'state'>) =>
  state === 'finished' || state === 'cancelled';

/** Polls a job until it finishes. */
export const useBulkJob = (id: number) =>
  useQuery({
    queryKey: ['admin-bulk-job', id],
    queryFn: async ({ signal }) => (await fetchJson(`${API}/${id}`, { signal })).json as AdminBulkJob,
    refetchInterval: ({ state: { data } }) => (data && isFinished(data) ? false : POLL_MS),
  });

export const ROWS_PER_PAGE = 25;

const rowsQuery = (state: string | undefined) => JSON.stringify(state === undefined ? {} : { state });

/** Results by row, filtered by `state`; refetches as the job progresses. */
export const useBulkJobRows = (
  id: number,
  { page, state, done }: { page: number; state: string | undefined; done: number },
) =>
  useQuery<{ rows: AdminBulkJobRow[]; total: number; page: number; state: string | undefined }>({
    queryKey: ['admin-bulk-job-rows', id, page, state, done],
    placeholderData: (before) => before,
    queryFn: async ({ signal }) => {
      const query = new URLSearchParams({
        filter: rowsQuery(state),
        sort: '["id","ASC"]',
        range: JSON.stringify([(page - 1) * ROWS_PER_PAGE, page * ROWS_PER_PAGE - 1]),
      });
      const { json, headers } = await fetchJson(`${API}/${id}/rows?${query}`, {
        signal,
      });
      const total = Number(headers.get('Content-Range')?.split('/').at(-1) ?? 0);
      return { rows: json as AdminBulkJobRow[], total, page, state };
    },
  });

/** Returns the CSV address of failed rows and their errors. */
export const failuresHref = (id: number): string =>
  `${API}/${id}/rows?${new URLSearchParams({ format: 'csv', filter: rowsQuery('failed') })}`;
