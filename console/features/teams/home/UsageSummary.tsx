import styled from '@emotion/styled';
import { useQuery, useSuspenseQuery } from '@tanstack/react-query';
import { getWorkspaceQuotasOptions } from '../../../../generated/api/@tanstack/react-query.gen';
import type { ReservedGpuQuota } from '../../../../generated/api/types.gen';
import { useRunway } from '../../../api/runway';
import { formatHourly, formatMonthly, parseMicros } from '../../../lib/billing/money';
import { count } from '../../../lib/texts/count';
import { KeyValue } from '../../../ui/data/KeyValue';
import { color, space, type } from '../../../ui/theme';
import { cvmsIn } from './health';
import { summaryOptions } from './queries';

const Strip = styled('div')({ marginBottom: space(8) });
const Figure = styled('span')({ ...type.lead, fontWeight: 600 });
const Of = styled('span')({ color: color.muted });

/** Running CVMs and the team's current spend. */
export function UsageSummary({ teamSlug }: { teamSlug: string }) {
  const { data: summary } = useSuspenseQuery(summaryOptions(teamSlug));
  // Doesn't block the page: most teams have no reserved GPUs.
  const gpus = useQuery(getWorkspaceQuotasOptions({ path: { slug: teamSlug } })).data?.reserved_gpu;
  const hourly = parseMicros(summary.hourly_rate) ?? 0;
  const uncovered = parseMicros(summary.hourly_rate_after_orders ?? '');
  const recycled = parseMicros(summary.recycled_hourly_rate) ?? 0;
  const lasts = useRunway(teamSlug, { shown: hourly + recycled });
  const figure = (text: string, of?: string) => (
    <>
      <Figure>{text}</Figure>
      {of !== undefined && <Of> {of}</Of>}
    </>
  );

  return (
    <Strip>
      <KeyValue
        facts={[
          {
            label: 'Running CVMs',
            value: figure(count(cvmsIn(summary, 'running')), `of ${count(summary.cvm_count)}`),
          },
          { label: 'In error', value: figure(count(cvmsIn(summary, 'error', 'lost'))) },
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
