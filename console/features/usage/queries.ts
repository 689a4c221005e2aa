import {
  getAppMetricsOptions,
  getAppUsageOptions,
  getCvmMetricsOptions,
  getCvmUsageOptions,
} from '../../../generated/api/@tanstack/react-query.gen';
import { inTeam } from '../../api/client';
import { monthQuery, type Range } from './search';

/** How often the newest point is asked for: a third of a step of the chart, but no more than every 10 minutes. */
const EVERY_MS: Record<Range, number> = { hour: 10_000, day: 60_000, week: 300_000, month: 600_000 };
const COST_MS = 60_000;

const live = (ms: number) => ({ staleTime: ms / 2, refetchInterval: ms });

export const cvmMetricsOptions = (teamSlug: string, cvm_id: string, range: Range) => ({
  ...getCvmMetricsOptions({ ...inTeam(teamSlug), path: { cvm_id }, query: { range } }),
  ...live(EVERY_MS[range]),
});

export const appMetricsOptions = (teamSlug: string, app_id: string, range: Range) => ({
  ...getAppMetricsOptions({ ...inTeam(teamSlug), path: { app_id }, query: { range } }),
  ...live(EVERY_MS[range]),
});

export const cvmUsageOptions = (teamSlug: string, cvm_id: string, month: string | undefined) => ({
  ...getCvmUsageOptions({ ...inTeam(teamSlug), path: { cvm_id }, query: monthQuery(month, new Date()) }),
  ...live(COST_MS),
});

export const appUsageOptions = (teamSlug: string, app_id: string, month: string | undefined) => ({
  ...getAppUsageOptions({ ...inTeam(teamSlug), path: { app_id }, query: monthQuery(month, new Date()) }),
  ...live(COST_MS),
});
