import { findCvm } from '../../db/cvms/cvmLookup';
import { cvmRef } from '../../domain/core/references';
import { teamOf } from '../core/caller';
import type { Handler } from '../types';
import { metricsOf } from './readMetrics';
import { metricTime } from './window';

export const getCvmMetrics: Handler<'getCvmMetrics'> = async ({ path, query, ctx }) => {
  const { cvm, app } = await findCvm(ctx.db, teamOf(ctx).id, path.cvm_id);
  const { frame, of } = await metricsOf(ctx, [cvm], metricTime(query));
  const ref = cvmRef({ ...cvm, app_id: app.app_id });
  return { status: 200, body: { cvm: ref!, ...frame, vcpu: cvm.vcpu, ...of(cvm.id) } };
};
