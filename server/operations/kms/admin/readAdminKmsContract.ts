import { adminKmsContracts } from '../../../db/kms/adminKms';
import { adminOne } from '../../../db/core/adminList';
import { adminKmsContractOut } from '../../../domain/kms/adminKmsResponse';
import { readContract } from '../../../jobs/kms/readContracts';
import type { Handler } from '../../types';
import { etagOf } from '../../core/admin/change';
import { missing } from '../../core/admin/resource';
import { kmsContracts } from '../../core/admin/resourcesGpus';

export const readAdminKmsContract: Handler<'readAdminKmsContract'> = async ({ path, ctx }) => {
  const found = await adminOne(ctx.db, adminKmsContracts, path.id);
  if (!found) throw missing(kmsContracts, path.id);
  await readContract(ctx, found, ctx.signal);
  const row = await adminOne(ctx.db, adminKmsContracts, path.id);
  if (!row) throw missing(kmsContracts, path.id);
  await ctx.write(({ audit }) =>
    audit({
      action: 'kms_contract.read',
      target_kind: 'kms_contract',
      target_id: String(row.id),
      after: { health: row.health, block_number: row.block_number },
    }),
  );
  return {
    status: 200,
    headers: { ETag: etagOf('kms-contracts', row.id, row.updated_at) },
    body: adminKmsContractOut(row),
  };
};
