import { adminKmsContracts, lockKmsContract } from '../../../db/kms/adminKms';
import { adminOne } from '../../../db/core/adminList';
import { adminKmsContractOut } from '../../../domain/kms/adminKmsResponse';
import { readContract } from '../../../jobs/kms/readContracts';
import type { Handler } from '../../types';
import { changeRow, missing } from '../../core/admin/resource';
import { kmsContracts } from '../../core/admin/resourcesGpus';
import { checkTexts } from '../../core/text';
import { checkKmsId } from './createAdminKmsContract';

export const updateAdminKmsContract: Handler<'updateAdminKmsContract'> = async ({ path, body, ctx }) => {
  checkTexts(body, ['label']);
  await checkKmsId(ctx, body.kms_id);
  const reply = await changeRow(ctx, kmsContracts, path.id, {
    kind: 'kms_contract',
    patch: body,
    lock: lockKmsContract,
    write: (trx, changes) =>
      trx.updateTable('kms_contracts').set(changes).where('id', '=', path.id).execute(),
  });
  if (body.kms_id === undefined) return reply;
  // Now checked against the keys of another KMS.
  const row = await adminOne(ctx.db, adminKmsContracts, path.id);
  if (!row) throw missing(kmsContracts, path.id);
  await readContract(ctx, row, ctx.signal);
  const now = await adminOne(ctx.db, adminKmsContracts, path.id);
  return { ...reply, body: adminKmsContractOut(now ?? row) };
};
