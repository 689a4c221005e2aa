import type { AiUsageDay } from '../../../generated/api/types.gen';
import type { ChartFrame, ChartLine } from '../../ui/charts/chart';

const DAY_MS = 86_400_000;
/** The number of days the API sums. */
const DAYS = 30;
/** Models that get their own line; the others share one. */
const MAX_LINES = 5;

export const MEASURES = [
  { id: 'requests', label: 'Requests', unit: 'count', of: (day: AiUsageDay) => day.requests },
  {
    id: 'tokens',
    label: 'Tokens',
    unit: 'count',
    of: (day: AiUsageDay) => day.input_tokens + day.output_tokens,
  },
  { id: 'cost', label: 'Cost', unit: 'usd', of: (day: AiUsageDay) => Number(day.cost) },
] as const;

export type Measure = (typeof MEASURES)[number];

/** Returns the last 30 days in UTC, today included. */
export const lastDays = (now: number): ChartFrame => ({
  from: Math.floor(now / DAY_MS) * DAY_MS - (DAYS - 1) * DAY_MS,
  step_ms: DAY_MS,
  count: DAYS,
});

/** Ranks models by requests, most used first, so that each has the same position and color in every chart. */
function rankedModels(days: readonly AiUsageDay[]): string[] {
  const totals = new Map<string, number>();
  for (const { model, requests } of days) totals.set(model, (totals.get(model) ?? 0) + requests);
  return [...totals].toSorted(([a, x], [b, y]) => y - x || a.localeCompare(b)).map(([model]) => model);
}

/** Returns a line per model. A day without requests is zero. */
export function linesOf(days: readonly AiUsageDay[], { of }: Measure, frame: ChartFrame): ChartLine[] {
  const models = rankedModels(days);
  const own = models.length > MAX_LINES ? models.slice(0, MAX_LINES - 1) : models;
  const line = (id: string, name: string, isPart: (model: string) => boolean): ChartLine => {
    const values = Array.from({ length: frame.count }, () => 0);
    for (const day of days) {
      const at = Math.round((Date.parse(day.date) - frame.from) / frame.step_ms);
      if (isPart(day.model) && at >= 0 && at < values.length) values[at] = (values[at] ?? 0) + of(day);
    }
    return { id, name, values };
  };
  const lines = own.map((model) => line(model, model, (one) => one === model));
  const shown = new Set(own);
  return own.length === models.length
    ? lines
    : [...lines, line('others', 'Other models', (model) => !shown.has(model))];
}
