import { listingRefusal } from '../../../db/public/listing';
import { Problem } from '../../../domain/core/problem';
import type { Handler } from '../../types';
import { setCvm, type Setting } from './setting';

/** The setting itself; a CVM patch may change it along with others. */
export const listedSetting = (listed: boolean): Omit<Setting, 'cvm_id'> => ({
  action: 'listed',
  change: async ({ cvm }, { trx }) => {
    const refusal = listed ? await listingRefusal(trx, cvm.app_id) : null;
    if (refusal !== null)
      throw new Problem('CONFLICT', {
        message: `An administrator removed this app from public lists: ${refusal}`,
        suggestions: ['Contact the operators of this cloud.'],
      });
    return { listed };
  },
  event: () => ({
    kind: 'cvm.listed',
    message: listed ? 'Shown in public lists' : 'No longer shown in public lists',
    data: { listed },
  }),
});

export const setCvmListed: Handler<'setCvmListed'> = async ({ path, body, ctx }) => {
  await setCvm(ctx, { cvm_id: path.cvm_id, ...listedSetting(body.listed) });
  return { status: 204 };
};
