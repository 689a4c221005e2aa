import { useState } from 'react';
import { LinkButton } from '../../../console/ui/controls/LinkButton';
import { DataTable } from '../../../console/ui/data/DataTable';
import { RelativeTime } from '../../../console/ui/data/RelativeTime';
import { StatusChip } from '../../../console/ui/feedback/StatusChip';
import { Panel } from '../../../console/ui/layout/Panel';
import type { AdminBulkJobRow } from '../../../generated/api/types.gen';
import { failuresHref, isOver, ROWS_PER_PAGE, useBulkJob, useBulkJobRows } from '../../bulkJobs';
import { problemOf } from '../../http';
import { figuresOf, JobBar } from '../../pages/JobProgress';
import { adminHref } from '../../paths';
import type { AdminRecord } from '../../record';
import { choiceLabel } from '../../schema/value';
import { SelectInput } from '../../../console/ui/forms/SelectInput';

/** How far a bulk job is and what became of each row; followed until it is over. */
export function JobRows({ record }: { record: AdminRecord }) {
  const [page, setPage] = useState(0);
  const [state, setState] = useState<string>();
  const { data: job } = useBulkJob(Number(record.id));
  const { data, error, isFetching, refetch } = useBulkJobRows(Number(record.id), {
    page,
    state,
    done: job?.done ?? 0,
  });
  const total = data?.total ?? 0;
  return (
    <Panel
      title="Rows"
      {...(job ? { subtitle: isOver(job) ? figuresOf(job) : `In progress: ${figuresOf(job)}` } : {})}
      actions={
        (job?.failed ?? 0) > 0 && (
          <LinkButton size="small" href={failuresHref(Number(record.id))}>
            Failures as CSV
          </LinkButton>
        )
      }
    >
      {job && <JobBar job={job} />}
      <DataTable<AdminBulkJobRow>
        id="bulk-job-rows"
        label="Rows"
        columns={[
          { id: 'row_id', header: 'Record', cell: ({ row_id }) => row_id },
          {
            id: 'state',
            header: 'State',
            width: 128,
            cell: (row) => <StatusChip quiet status={row.state} />,
          },
          {
            id: 'message',
            header: 'Why',
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
        rowName={({ row_id }) => row_id}
        {...(job && job.action !== 'delete'
          ? { rowHref: ({ row_id }: AdminBulkJobRow) => adminHref.show(job.resource, row_id) }
          : {})}
        filters={
          <SelectInput
            label="State"
            choices={['queued', 'succeeded', 'failed', 'skipped'].map((value) => ({
              value,
              label: choiceLabel(value),
            }))}
            placeholder="Any"
            value={state ?? ''}
            onChange={({ target: { value } }) => {
              setState(value === '' ? undefined : value);
              setPage(0);
            }}
          />
        }
        paging={{
          offset: page * ROWS_PER_PAGE,
          total,
          ...(page > 0 ? { previous: () => setPage(page - 1) } : {}),
          ...((page + 1) * ROWS_PER_PAGE < total ? { next: () => setPage(page + 1) } : {}),
        }}
        refreshing={isFetching}
        problem={error ? problemOf(error, 'The rows could not be listed', () => void refetch()) : null}
        empty={<p>No row is in this state.</p>}
      />
    </Panel>
  );
}
