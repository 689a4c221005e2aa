import { styled } from '@mui/material/styles';
import { useQuery, useSuspenseQuery } from '@tanstack/react-query';
import { getWorkspaceQuotasOptions } from '../../../generated/api/@tanstack/react-query.gen';
import type { ReservedGpuQuota } from '../../../generated/api/types.gen';
import { formatHourly, formatMonthly } from '../../lib/money';
import { hourlyMicros } from '../../lib/spend';
import { count } from '../../ui/data/count';
import { KeyValue } from '../../ui/data/KeyValue';
import { color, space, type } from '../../ui/theme';
import { COUNTED, teamCvmsOptions } from './queries';

const Strip = styled('div')({ marginBottom: space(8) });
const Figure = styled('span')({ ...type.lead, fontWeight: 600 });
const Of = styled('span')({ color: color.muted });

/** What runs and what it costs, now. With more CVMs than are counted, the figures say so. */
export function Figures({ teamSlug }: { teamSlug: string }) {
  const { data: cvms } = useSuspenseQuery(teamCvmsOptions(teamSlug));
  // Not waited for: most teams have none, and then nothing is said of them.
  const gpus = useQuery(getWorkspaceQuotasOptions({ path: { slug: teamSlug } })).data?.reserved_gpu;
  const atLeast = cvms.total > cvms.items.length ? '≥ ' : '';
  const among = atLeast === '' ? '' : ` (newest ${COUNTED} counted)`;
  const inState = (status: string) => cvms.items.filter((cvm) => cvm.status === status).length;
  const hourly = hourlyMicros(cvms.items);
  const figure = (text: string, of?: string) => (
    <>
      <Figure>
        {atLeast}
        {text}
      </Figure>
      {of !== undefined && <Of> {of}</Of>}
    </>
  );

  return (
    <Strip>
      <KeyValue
        facts={[
          {
            label: `CVMs running${among}`,
            value: figure(count(inState('running')), `of ${count(cvms.total)}`),
          },
          { label: `In error${among}`, value: figure(count(inState('error'))) },
          { label: 'Spend now', value: figure(formatHourly(hourly)) },
          { label: 'If it stays so', value: figure(formatMonthly(hourly)) },
          ...(gpus && gpus.gpus.limit > 0 ? [{ label: 'Reserved GPUs in use', value: gpusInUse(gpus) }] : []),
        ]}
      />
    </Strip>
  );
}

const gpusInUse = ({ gpus, in_use, misconfigured }: ReservedGpuQuota) => (
  <>
    <Figure>{count(in_use)}</Figure>
    <Of>
      {' '}
      of {count(gpus.limit)}
      {misconfigured > 0 ? `, ${count(misconfigured)} out of service` : ''}
    </Of>
  </>
);
