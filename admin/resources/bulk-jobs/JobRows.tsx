import { LinkButton } from '../../../console/ui/controls/Button';
import styled from '@emotion/styled';
import { useEffect } from 'react';
import { useShowContext } from 'react-admin';
import { DataTable } from '../../../console/ui/data/DataTable';
import { RelativeTime } from '../../../console/ui/data/RelativeTime';
import { StatusChip } from '../../../console/ui/feedback/StatusChip';
import { Panel } from '../../../console/ui/layout/Panel';
import type { AdminBulkJobRow } from '../../../generated/api/types.gen';
import { failuresHref, isFinished, ROWS_PER_PAGE, useBulkJob, useBulkJobRows } from '../../lists/bulkJobs';
import { problemOf } from '../../http';
import { figuresOf, JobBar } from '../../lists/JobProgress';
import { adminHref } from '../../paths';
import type { AdminRecord } from '../../record';
import { choiceLabel } from '../../schema/value';
import { SelectInput } from '../../../console/ui/forms/SelectInput';
import { space } from '../../../console/ui/theme';
import { pageOf } from '../searchAddress';
import { useSearchAddress } from '../useSearchAddress';

const Narrow = styled('div')({ maxWidth: 200, marginTop: space(4) });

const STATES = ['queued', 'succeeded', 'failed', 'skipped'] as const;

const nameOf = ({ name, row_id }: AdminBulkJobRow) => name ?? row_id;

/** Progress of a bulk job and the result of each row. Polls until it finishes. */
export function JobRows({ record }: { record: AdminRecord }) {
  const [params, go] = useSearchAddress();
  const page = pageOf(params);
  const state = STATES.find((one) => one === params.get('state'));
  const { data: job } = useBulkJob(Number(record.id));
  const { data, error, refetch } = useBulkJobRows(Number(record.id), {
    page,
    state,
    done: job?.done ?? 0,
  });
  const total = data?.total ?? 0;
  const { refetch: refetchRecord } = useShowContext<AdminRecord>();
  const isStale = job !== undefined && job.updated_at !== record.updated_at;
  // Keeps the details and the aside in sync with the polled job.
  useEffect(() => {
    if (isStale) void refetchRecord();
  }, [isStale, job?.updated_at, refetchRecord]);
  return (
    <Panel
      title="Rows"
      {...(job
        ? {
            subtitle: isFinished(job) ? figuresOf(job) : `In progress: ${figuresOf(job)}`,
          }
        : {})}
      actions={
        (job?.failed ?? 0) > 0 && (
          <LinkButton size="small" href={failuresHref(Number(record.id))}>
            Export failures (CSV)
          </LinkButton>
        )
      }
    >
      {job && <JobBar job={job} />}
      <DataTable<AdminBulkJobRow>
        id="bulk-job-rows"
        label="Rows"
        noun={['row', 'rows']}
        columns={[
          { id: 'name', header: 'Record', cell: nameOf },
          { id: 'row_id', header: 'ID', defaultHidden: true, cell: ({ row_id }) => row_id },
          {
            id: 'state',
            header: 'State',
            width: 128,
            cell: (row) => <StatusChip quiet status={row.state} />,
          },
          {
            id: 'message',
            header: 'Error',
            cell: ({ message, code }) => (message === null ? '—' : `${message} ${code ?? ''}`),
          },
          {
            id: 'finished_at',
            header: 'Finished',
            width: 128,
            cell: ({ finished_at }) => (finished_at === null ? '—' : <RelativeTime at={finished_at} />),
          },
        ]}
        rows={data?.rows}
        rowId={({ id }) => String(id)}
        rowName={nameOf}
        {...(job && job.action !== 'delete'
          ? {
              rowHref: ({ row_id }: AdminBulkJobRow) => adminHref.show(job.resource, row_id),
            }
          : {})}
        filters={
          <Narrow>
            <SelectInput
              label="State"
              choices={STATES.map((value) => ({
                value,
                label: choiceLabel(value),
              }))}
              placeholder="Any"
              value={state ?? ''}
              onChange={({ target: { value } }) => go({ state: value === '' ? null : value })}
            />
          </Narrow>
        }
        paging={{
          offset: (page - 1) * ROWS_PER_PAGE,
          total,
          ...(page > 1 ? { previous: () => go({ page: String(page - 1) }) } : {}),
          ...(page * ROWS_PER_PAGE < total ? { next: () => go({ page: String(page + 1) }) } : {}),
        }}
        // Not while the job proceeds: the same rows are read at every poll.
        refreshing={data !== undefined && (data.page !== page || data.state !== state)}
        problem={error ? problemOf(error, 'Couldn’t load rows', () => void refetch()) : null}
        empty={<p>No matches.</p>}
      />
    </Panel>
  );
}
