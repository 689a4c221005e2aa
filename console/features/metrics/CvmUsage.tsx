import { useQuery } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import { problemOf } from '../../api/problem';
import { ErrorNotice } from '../../ui/feedback/ErrorNotice';
import { RowsSkeleton } from '../../ui/feedback/Skeletons';
import { Sections } from '../../ui/layout/Sections';
import { CostLines } from './CostLines';
import { CostPanel } from './CostPanel';
import { CvmCharts } from './CvmCharts';
import { useDownload } from './download';
import { cvmUsageOptions } from './queries';
import { usageSearch } from './search';

interface Props {
  teamSlug: string;
  vmUuid: string;
  /** CVM name, for file names. */
  name: string;
  /** The CVM's events, at the URL it was opened by. */
  eventsPath: string;
}

/** Usage and cost of a CVM. */
export function CvmUsage(props: Props) {
  const { month } = usageSearch(useSearch({ strict: false }));
  return (
    <Sections>
      <CvmCharts {...props} />
      <CvmCost {...props} month={month} />
    </Sections>
  );
}

function CvmCost({
  teamSlug,
  vmUuid,
  name,
  month,
}: Omit<Props, 'eventsPath'> & { month: string | undefined }) {
  const { data, error, refetch } = useQuery(cvmUsageOptions(teamSlug, vmUuid, month));
  const download = useDownload({ kind: 'cvm_usage', teamSlug, cvm_id: vmUuid, month }, name);
  const problem = problemOf(error, 'Couldn’t load the cost', () => void refetch());
  return (
    <CostPanel month={month} amount={data?.amount} byState={data?.by_state ?? []} download={download.button}>
      {download.problem && <ErrorNotice problem={download.problem} />}
      {problem && <ErrorNotice problem={problem} />}
      {data ? <CostLines lines={data.lines} /> : !problem && <RowsSkeleton rows={4} />}
    </CostPanel>
  );
}
