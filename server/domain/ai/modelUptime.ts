import type { AiModelUptime, AiUptime } from '../../../generated/api/types.gen';
import { ownValue } from '../../../console/lib/ownValue';

/** Checks of a model in some hours, as far as there were any. */
interface Counts {
  /** At most `checks`. */
  up: number;
  checks: number;
  measured_hours: number;
}

/** Checks of a model in the last 30 days. */
export interface AiModelUptimeCounts {
  /** The date in UTC. */
  today: string;
  /** By the number of hours until now. */
  periods: Partial<Record<24 | 168 | 720, Counts | null>>;
  /** By date. */
  days: Partial<Record<string, Counts>>;
}

/** Days listed, with today. */
const DAYS = 30;
const DAY_MS = 86_400_000;

/** Returns a model's uptime. @param counts undefined without checks */
export const aiModelUptimeOut = (counts: AiModelUptimeCounts | undefined): AiModelUptime => ({
  last_24_hours: uptimeOf(counts?.periods[24]),
  last_7_days: uptimeOf(counts?.periods[168]),
  last_30_days: uptimeOf(counts?.periods[720]),
  days: counts ? daysOf(counts) : [],
});

function daysOf({ today, days }: AiModelUptimeCounts): AiModelUptime['days'] {
  const dates = Array.from({ length: DAYS }, (_, i) => dateBefore(today, DAYS - 1 - i));
  const first = dates.findIndex((date) => ownValue(days, date));
  return first < 0 ? [] : dates.slice(first).map((date) => ({ date, ...uptimeOf(ownValue(days, date)) }));
}

const dateBefore = (date: string, days: number): string =>
  new Date(Date.parse(date) - days * DAY_MS).toISOString().slice(0, 10);

function uptimeOf(counts: Counts | null | undefined): AiUptime {
  if (!counts) return { share: null, measured_hours: 0 };
  return { share: shareOf(counts.up, counts.checks), measured_hours: counts.measured_hours };
}

/** Rounded down to four decimals, so that only something without failures has 1. */
export const shareOf = (good: number, all: number): number => Math.floor((good / all) * 10_000) / 10_000;
