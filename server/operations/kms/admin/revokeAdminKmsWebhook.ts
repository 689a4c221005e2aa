import { adminKms, lockKms } from '../../../db/kms/adminKms';
import { revokeKmsToken } from '../../../db/kms/kmsWebhooks';
import { adminOne } from '../../../db/core/adminList';
import { adminKmsOut } from '../../../domain/kms/adminKmsResponse';
import type { Handler } from '../../types';
import { etagOf } from '../../core/admin/change';
import { missing } from '../../core/admin/resource';
import { kms } from '../../core/admin/resourcesGpus';
import { refuseLocal } from './kmsRules';

export const revokeAdminKmsWebhook: Handler<'revokeAdminKmsWebhook'> = async ({ path, ctx }) =>
  ctx.write(async ({ trx, audit }) => {
    if (!(await lockKms(trx, path.id))) throw missing(kms, path.id);
    await refuseLocal(trx, path.id);
    const before = await adminOne(trx, adminKms, path.id);
    const revoked = await revokeKmsToken(trx, path.id);
    const row = await adminOne(trx, adminKms, path.id);
    if (!row) throw missing(kms, path.id);
    await audit({
      action: revoked ? 'kms.webhook.revoke' : 'kms.webhook.revoke.repeated',
      target_kind: 'kms',
      target_id: String(path.id),
      before: { webhook_token: before?.webhook_token ?? null },
    });
    return {
      status: 200,
      headers: { ETag: etagOf('kms', row.id, row.updated_at) },
      body: adminKmsOut(row),
    } as const;
  });
