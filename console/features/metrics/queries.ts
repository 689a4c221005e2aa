import {
  getAppMetricsOptions,
  getAppUsageOptions,
  getCvmMetricsOptions,
  getCvmUsageOptions,
  listOperationsOptions,
} from '../../../generated/api/@tanstack/react-query.gen';
import { inTeam } from '../../api/client';
import { monthQuery, type Range, type Zoom } from './search';

/** Polling interval: a third of a chart step, at most every 10 minutes. */
const EVERY_MS: Record<Range, number> = { hour: 10_000, day: 60_000, week: 300_000, month: 600_000 };
const COST_MS = 60_000;

const live = (ms: number) => ({ staleTime: ms / 2, refetchInterval: ms });

/** The time shown in charts: a range up to now, or a past period. */
export type ChartTime = { range: Range } | Zoom;

/** Past periods change only while they are being summarized. */
const kept = (time: ChartTime) => ('range' in time ? live(EVERY_MS[time.range]) : { staleTime: 60_000 });

export const cvmMetricsOptions = (teamSlug: string, cvm_id: string, time: ChartTime) => ({
  ...getCvmMetricsOptions({ ...inTeam(teamSlug), path: { cvm_id }, query: time }),
  ...kept(time),
});

export const appMetricsOptions = (teamSlug: string, app_id: string, time: ChartTime) => ({
  ...getAppMetricsOptions({ ...inTeam(teamSlug), path: { app_id }, query: time }),
  ...kept(time),
});

/** One page of the API. */
const MAX_CHANGES = 100;

/** Operations requested in a past period, newest first. `of` is a CVM, or `app_…` for all CVMs of an app. */
export const changesOptions = (teamSlug: string, of: string, time: { from: string; to?: string }) => ({
  ...listOperationsOptions({ ...inTeam(teamSlug), query: { cvm: of, limit: MAX_CHANGES, ...time } }),
  staleTime: 60_000,
});

export const cvmUsageOptions = (teamSlug: string, cvm_id: string, month: string | undefined) => ({
  ...getCvmUsageOptions({ ...inTeam(teamSlug), path: { cvm_id }, query: monthQuery(month, new Date()) }),
  ...live(COST_MS),
});

export const appUsageOptions = (teamSlug: string, app_id: string, month: string | undefined) => ({
  ...getAppUsageOptions({ ...inTeam(teamSlug), path: { app_id }, query: monthQuery(month, new Date()) }),
  ...live(COST_MS),
});
