import styled from '@emotion/styled';
import { useInfiniteQuery, useQuery, useSuspenseQuery } from '@tanstack/react-query';
import { getWorkspaceQuotasOptions } from '../../../../generated/api/@tanstack/react-query.gen';
import type { ReservedGpuQuota } from '../../../../generated/api/types.gen';
import { useRunway } from '../../../api/runway';
import { formatHourly, formatMonthly } from '../../../lib/billing/money';
import { hourlyAfterOrders, hourlyMicros, recycledMicros } from '../../../lib/billing/spend';
import { count } from '../../../lib/texts/count';
import { KeyValue } from '../../../ui/data/KeyValue';
import { color, space, type } from '../../../ui/theme';
import { COUNTED, recycleBinOptions, teamCvmsOptions } from './queries';

const Strip = styled('div')({ marginBottom: space(8) });
const Figure = styled('span')({ ...type.lead, fontWeight: 600 });
const Of = styled('span')({ color: color.muted });

/** Running CVMs and what the team spends. Teams with more CVMs than are loaded see lower bounds. */
export function UsageSummary({ teamSlug }: { teamSlug: string }) {
  const { data: cvms } = useSuspenseQuery(teamCvmsOptions(teamSlug));
  // Doesn't block the page: most teams have no reserved GPUs.
  const gpus = useQuery(getWorkspaceQuotasOptions({ path: { slug: teamSlug } })).data?.reserved_gpu;
  const atLeast = cvms.total > cvms.items.length ? '≥ ' : '';
  const among = atLeast === '' ? '' : ` (newest ${COUNTED} counted)`;
  const inState = (status: string) => cvms.items.filter((cvm) => cvm.status === status).length;
  const bin = useInfiniteQuery(recycleBinOptions(teamSlug)).data;
  const recycled = recycledMicros(bin?.pages.flatMap((page) => page.data) ?? []);
  const hourly = hourlyMicros(cvms.items);
  const uncovered = hourlyAfterOrders(cvms.items);
  const lasts = useRunway(teamSlug, { shown: hourly + recycled });
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
            label: `Running CVMs${among}`,
            value: figure(count(inState('running')), `of ${count(cvms.total)}`),
          },
          { label: `In error${among}`, value: figure(count(inState('error') + inState('lost'))) },
          {
            label: 'Current spend',
            value: figure(
              formatHourly(hourly + recycled),
              recycled > 0 ? `incl. ${formatHourly(recycled)} for the recycle bin` : undefined,
            ),
          },
          // Disks in the recycle bin are destroyed within a day.
          {
            label: 'Projected',
            value: figure(
              formatMonthly(hourly),
              uncovered === null ? undefined : `${formatMonthly(uncovered)} after reservations end`,
            ),
          },
          ...(lasts === undefined ? [] : [{ label: 'Balance lasts', value: <Figure>{lasts}</Figure> }]),
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
