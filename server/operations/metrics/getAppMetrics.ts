import { cvmsOfApps } from '../../db/cvmQueries';
import { cvmRef } from '../../domain/wire/refs';
import { appOf } from '../apps/appId';
import { teamOf } from '../shared/caller';
import type { Handler } from '../types';
import { metricsOf } from './readMetrics';

/** More lines than these nobody tells apart in one chart. */
const MOST = 20;

export const getAppMetrics: Handler<'getAppMetrics'> = async ({ path, query, ctx }) => {
  const { app, cvm_count } = await appOf(ctx, path.app_id);
  const found = await cvmsOfApps(ctx.db, teamOf(ctx).id, [app.id], MOST);
  const cvms = (found.get(app.id) ?? []).map(({ cvm }) => cvm);
  const { frame, of } = await metricsOf(ctx, cvms, query.range ?? 'hour', 2);
  return {
    status: 200,
    body: {
      app_id: app.app_id,
      ...frame,
      replicas: cvms.map((cvm) => {
        const { series, gaps, states, source } = of(cvm.id);
        const ref = cvmRef({ ...cvm, app_id: app.app_id })!;
        return { cvm: ref, status: cvm.status, source, series, gaps, states };
      }),
      replicas_total: cvm_count,
    },
  };
};
