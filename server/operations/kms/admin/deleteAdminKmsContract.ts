import { lockKmsContract } from '../../../db/kms/adminKms';
import type { Handler } from '../../types';
import { removeRow } from '../../core/admin/resource';
import { kmsContracts } from '../../core/admin/resourcesGpus';

/** Only this server forgets the contract; nothing happens on its chain. */
export const deleteAdminKmsContract: Handler<'deleteAdminKmsContract'> = ({ path, ctx }) =>
  removeRow(ctx, kmsContracts, path.id, {
    kind: 'kms_contract',
    table: 'kms_contracts',
    lock: lockKmsContract,
    kept: ['label', 'chain_id', 'address', 'kms_id', 'state'],
  });
