import { lockKmsContract } from '../../../db/adminKms';
import type { Handler } from '../../types';
import { keysOf } from '../change';
import { missing } from '../resource';
import { kmsContracts } from '../resourcesGpus';

/** Only this server forgets it; nothing happens on its chain. */
export const deleteAdminKmsContract: Handler<'deleteAdminKmsContract'> = async ({ path, ctx }) =>
  ctx.write(async ({ trx, audit }) => {
    const row = await lockKmsContract(trx, path.id);
    if (!row) throw missing(kmsContracts, path.id);
    await trx.deleteFrom('kms_contracts').where('id', '=', row.id).execute();
    await audit({
      action: 'kms_contract.delete',
      target_kind: 'kms_contract',
      target_id: String(row.id),
      before: keysOf(row, ['label', 'chain_id', 'address', 'kms_id', 'state']),
    });
    return { status: 204 } as const;
  });
