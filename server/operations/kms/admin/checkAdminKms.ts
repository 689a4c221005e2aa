import { adminOne } from '../../../db/core/adminList';
import { adminKms } from '../../../db/kms/adminKms';
import { adminKmsOut } from '../../../domain/kms/adminKmsResponse';
import { checkKms } from '../../../jobs/kms/checkKms';
import type { Handler } from '../../types';
import { etagOf } from '../../core/admin/change';
import { missing } from '../../core/admin/resource';
import { kms } from '../../core/admin/resourcesGpus';

export const checkAdminKms: Handler<'checkAdminKms'> = async ({ path, ctx }) => {
  const found = await adminOne(ctx.db, adminKms, path.id);
  if (!found) throw missing(kms, path.id);
  await checkKms(ctx, found, ctx.signal);
  const row = await adminOne(ctx.db, adminKms, path.id);
  if (!row) throw missing(kms, path.id);
  await ctx.write(({ audit }) =>
    audit({
      action: 'kms.check',
      target_kind: 'kms',
      target_id: String(row.id),
      after: { health: row.health },
    }),
  );
  return { status: 200, headers: { ETag: etagOf('kms', row.id, row.updated_at) }, body: adminKmsOut(row) };
};
