import { lockKmsContract } from '../../../db/adminKms';
import type { Handler } from '../../types';
import { removeRow } from '../resource';
import { kmsContracts } from '../resourcesGpus';

/** Only this server forgets it; nothing happens on its chain. */
export const deleteAdminKmsContract: Handler<'deleteAdminKmsContract'> = ({ path, ctx }) =>
  removeRow(ctx, kmsContracts, path.id, {
    kind: 'kms_contract',
    table: 'kms_contracts',
    lock: lockKmsContract,
    kept: ['label', 'chain_id', 'address', 'kms_id', 'state'],
  });
