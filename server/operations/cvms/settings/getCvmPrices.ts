import { formatMicros } from '../../../../console/lib/billing/money';
import { findCvm } from '../../../db/cvms/cvmLookup';
import { hourlyRate } from '../../../domain/billing/pricing';
import { teamOf } from '../../core/caller';
import type { Handler } from '../../types';
import { replicaPrice } from '../deploy/replicate';
import { coverAfter, resized } from './resize';

/** Returns what a replica and a resize of this CVM would cost, by the same rules as billing. */
export const getCvmPrices: Handler<'getCvmPrices'> = async ({ path, query, ctx }) => {
  const { cvm } = await findCvm(ctx.db, teamOf(ctx).id, path.cvm_id);
  const { toPay } = await replicaPrice(ctx.db, cvm);
  const change = await resized(ctx.db, cvm, query);
  return {
    status: 200,
    body: {
      replica_hourly_rate: formatMicros(toPay),
      resized:
        change === undefined
          ? null
          : hourlyRate({
              ...cvm,
              ...change.payload,
              ...(await coverAfter(ctx.db, cvm, change.payload.instance_type)),
            }),
    },
  };
};
