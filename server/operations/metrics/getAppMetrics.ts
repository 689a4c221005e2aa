import { cvmsOfApps } from '../../db/cvms/cvmQueries';
import { cvmRef } from '../../domain/core/references';
import { appOf } from '../apps/appId';
import { teamOf } from '../core/caller';
import type { Handler } from '../types';
import { metricsOf } from './readMetrics';
import { metricTime } from './window';

/** Nobody can distinguish more lines than this in one chart. */
const MAX_CVMS = 20;

export const getAppMetrics: Handler<'getAppMetrics'> = async ({ path, query, ctx }) => {
  const { app, cvm_count } = await appOf(ctx, path.app_id);
  const found = await cvmsOfApps(ctx.db, teamOf(ctx).id, [app.id], MAX_CVMS);
  const cvms = (found.get(app.id) ?? []).map(({ cvm }) => cvm);
  const { frame, of } = await metricsOf(ctx, cvms, metricTime(query), 2);
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
