import type { Handler } from '../../types';
import { setCvm, type Setting } from './setting';

/** The setting itself, which a patch of the CVM may change with others. */
export const listedSetting = (listed: boolean): Omit<Setting, 'cvm_id'> => ({
  action: 'listed',
  change: () => ({ listed }),
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
