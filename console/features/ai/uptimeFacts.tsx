import styled from '@emotion/styled';
import type { AiModel, AiModelUptime } from '../../../generated/api/types.gen';
import { count, counted } from '../../lib/texts/count';
import { DayStrip, UP_AT } from '../../ui/charts/DayStrip';
import type { Fact } from '../../ui/data/KeyValue';
import { color, space, type } from '../../ui/theme';

const DAYS = 30;
const HOURS = DAYS * 24;

const Note = styled('span')({ ...type.caption, display: 'block', color: color.muted });
const Strip = styled('span')({ display: 'block', margin: `${space(1)} 0` });

/** Up to two decimals. */
export const percent = (share: number) => `${Number((share * 100).toFixed(2))}%`;

/** Why a model's servers aren't checked; null if they are. */
const unchecked = ({ is_built_in, is_in_tee }: Pick<AiModel, 'is_built_in' | 'is_in_tee'>): string | null =>
  is_built_in
    ? 'Not measured: part of this server'
    : is_in_tee
      ? 'Not measured: only gateways in a TEE call its servers'
      : null;

/** Returns the uptime of a model as its servers' checks show it. */
export function uptimeFacts(
  { last_24_hours, last_7_days, last_30_days, days }: AiModelUptime,
  model: Pick<AiModel, 'is_built_in' | 'is_in_tee'>,
): Fact[] {
  if (last_30_days.share === null)
    return [{ label: 'Uptime', value: unchecked(model) ?? 'Not measured yet' }];
  return [
    { label: 'Uptime, 24 hours', value: shareText(last_24_hours.share) },
    { label: 'Uptime, 7 days', value: shareText(last_7_days.share) },
    {
      label: 'Uptime, 30 days',
      value: (
        <>
          {percent(last_30_days.share)}
          <Strip>
            <UptimeStrip days={days} />
          </Strip>
          {last_30_days.measured_hours < HOURS && (
            <Note>
              Measured in {count(last_30_days.measured_hours)} of {count(HOURS)} hours
            </Note>
          )}
        </>
      ),
      wide: true,
    },
  ];
}

const shareText = (share: number | null) => (share === null ? 'Not measured' : percent(share));

type Day = AiModelUptime['days'][number];

/** Days before the first one measured are added, so that all strips are equally long. */
function UptimeStrip({ days }: { days: readonly Day[] }) {
  const before = Array.from({ length: Math.max(0, DAYS - days.length) }, () => ({
    share: null,
    title: 'Not measured',
  }));
  const shown = days.map(({ date, share }) => ({
    share,
    title: `${dateText(date)}: ${share === null ? 'not measured' : percent(share)}`,
  }));
  return <DayStrip days={[...before, ...shown]} label={stripLabel(days)} />;
}

// The API's days are in UTC.
const inUtc = new Intl.DateTimeFormat('en-US', { day: 'numeric', month: 'short', timeZone: 'UTC' });
const dateText = (date: string): string => inUtc.format(new Date(date));

/** "Uptime by day, last 30 days: at least 99.9% on 27 days, less on 1 day, not measured on 2 days. Lowest: 93.1% on Nov 12." */
export function stripLabel(days: readonly Day[]): string {
  const measured = days.flatMap(({ date, share }) => (share === null ? [] : [{ date, share }]));
  const below = measured.filter(({ share }) => share < UP_AT);
  const [lowest] = below.toSorted((a, b) => a.share - b.share);
  const on = (n: number) => `on ${counted(n, ['day', 'days'])}`;
  const parts = [
    `at least ${percent(UP_AT)} ${on(measured.length - below.length)}`,
    ...(below.length > 0 ? [`less ${on(below.length)}`] : []),
    ...(measured.length < DAYS ? [`not measured ${on(DAYS - measured.length)}`] : []),
  ];
  const end = lowest ? ` Lowest: ${percent(lowest.share)} on ${dateText(lowest.date)}.` : '';
  return `Uptime by day, last ${DAYS} days: ${parts.join(', ')}.${end}`;
}
