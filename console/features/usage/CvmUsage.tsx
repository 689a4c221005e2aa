import { useQuery } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import { problemOf } from '../../api/problem';
import { ErrorNotice } from '../../ui/feedback/ErrorNotice';
import { RowsSkeleton } from '../../ui/feedback/Skeletons';
import { CostLines } from './CostLines';
import { CostPanel } from './CostPanel';
import { CvmCharts } from './CvmCharts';
import { useDownload } from './download';
import { cvmUsageOptions } from './queries';
import { usageSearch } from './search';

interface Props {
  teamSlug: string;
  vmUuid: string;
  /** Of the CVM, for files. */
  name: string;
}

/** What a CVM used, and what it cost and why. */
export function CvmUsage(props: Props) {
  const { range = 'hour', month } = usageSearch(useSearch({ strict: false }));
  return (
    <>
      <CvmCharts {...props} range={range} />
      <CvmCost {...props} month={month} />
    </>
  );
}

function CvmCost({ teamSlug, vmUuid, name, month }: Props & { month: string | undefined }) {
  const { data, error, refetch } = useQuery(cvmUsageOptions(teamSlug, vmUuid, month));
  const download = useDownload({ kind: 'cvm_usage', teamSlug, cvm_id: vmUuid, month }, name);
  const problem = problemOf(error, 'Its cost could not be read', () => void refetch());
  return (
    <CostPanel month={month} amount={data?.amount} byState={data?.by_state ?? []} download={download.button}>
      {download.problem && <ErrorNotice problem={download.problem} />}
      {problem && <ErrorNotice problem={problem} />}
      {data ? <CostLines lines={data.lines} /> : !problem && <RowsSkeleton rows={4} />}
    </CostPanel>
  );
}
