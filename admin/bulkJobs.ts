import { useQuery } from '@tanstack/react-query';
import type { AdminBulkJob, AdminBulkJobRow } from '../generated/api/types.gen';
import { fetchJson } from './http';

/** One thing done to many rows: asked for once, done by the server row by row. */

const API = '/api/v1/admin/bulk-jobs';

/** Rows one job can have at most (`CreateAdminBulkJob`). */
export const MOST_ROWS = 10_000;
const LOOK_AGAIN_MS = 1_000;

export interface NewBulkJob {
  resource: string;
  action: string;
  /** Either of the two. */
  ids?: readonly (string | number)[];
  filter?: Readonly<Record<string, unknown>>;
  body?: Readonly<Record<string, unknown>>;
  expected_total: number;
}

/** @throws HttpError when the rows are no longer as many as were shown, among others */
export async function startBulkJob(job: NewBulkJob, idempotency_key: string): Promise<AdminBulkJob> {
  const { json } = await fetchJson(API, {
    method: 'POST',
    body: JSON.stringify(job),
    headers: { 'Idempotency-Key': idempotency_key },
  });
  return json as AdminBulkJob;
}

export const isOver = ({ state }: Pick<AdminBulkJob, 'state'>) =>
  state === 'finished' || state === 'cancelled';

/** How far it is, asked for again until it is over. */
export const useBulkJob = (id: number) =>
  useQuery({
    queryKey: ['admin-bulk-job', id],
    queryFn: async ({ signal }) => (await fetchJson(`${API}/${id}`, { signal })).json as AdminBulkJob,
    refetchInterval: ({ state: { data } }) => (data && isOver(data) ? false : LOOK_AGAIN_MS),
  });

export const ROWS_PER_PAGE = 25;

const rowsQuery = (state: string | undefined) => JSON.stringify(state === undefined ? {} : { state });

/** What became of each row; `state` narrows it. Anew with every step of the job. */
export const useBulkJobRows = (
  id: number,
  { page, state, done }: { page: number; state: string | undefined; done: number },
) =>
  useQuery<{ rows: AdminBulkJobRow[]; total: number }>({
    queryKey: ['admin-bulk-job-rows', id, page, state, done],
    placeholderData: (before) => before,
    queryFn: async ({ signal }) => {
      const query = new URLSearchParams({
        filter: rowsQuery(state),
        sort: '["id","ASC"]',
        range: JSON.stringify([page * ROWS_PER_PAGE, (page + 1) * ROWS_PER_PAGE - 1]),
      });
      const { json, headers } = await fetchJson(`${API}/${id}/rows?${query}`, { signal });
      const total = Number(headers.get('Content-Range')?.split('/').at(-1) ?? 0);
      return { rows: json as AdminBulkJobRow[], total };
    },
  });

/** The rows that failed, with why, as a file. */
export const failuresHref = (id: number): string =>
  `${API}/${id}/rows?${new URLSearchParams({ format: 'csv', filter: rowsQuery('failed') })}`;
