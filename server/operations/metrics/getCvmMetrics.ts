import { findCvm } from '../../db/cvmLookup';
import { cvmRef } from '../../domain/wire/refs';
import { teamOf } from '../shared/caller';
import type { Handler } from '../types';
import { metricsOf } from './readMetrics';

export const getCvmMetrics: Handler<'getCvmMetrics'> = async ({ path, query, ctx }) => {
  const { cvm, app } = await findCvm(ctx.db, teamOf(ctx).id, path.cvm_id);
  const { frame, of } = await metricsOf(ctx, [cvm], query.range ?? 'hour');
  const ref = cvmRef({ ...cvm, app_id: app.app_id });
  return { status: 200, body: { cvm: ref!, ...frame, vcpu: cvm.vcpu, ...of(cvm.id) } };
};
