import { adminKms, lockKms } from '../../../db/kms/adminKms';
import { replaceKmsToken } from '../../../db/kms/kmsWebhooks';
import { adminOne } from '../../../db/core/adminList';
import type { Handler } from '../../types';
import { missing } from '../../core/admin/resource';
import { kms } from '../../core/admin/resourcesGpus';
import { refuseLocal } from './kmsRules';

export const createAdminKmsWebhook: Handler<'createAdminKmsWebhook'> = async ({ path, ctx }) =>
  ctx.write(async ({ trx, audit }) => {
    if (!(await lockKms(trx, path.id))) throw missing(kms, path.id);
    await refuseLocal(trx, path.id);
    const before = await adminOne(trx, adminKms, path.id);
    const { token, hint } = await replaceKmsToken(trx, path.id);
    await audit({
      action: 'kms.webhook.create',
      target_kind: 'kms',
      target_id: String(path.id),
      before: { webhook_token: before?.webhook_token ?? null },
      after: { webhook_token: hint },
    });
    const webhook_url = `${ctx.config.publicUrl}/kms-auth/${token}/${before?.slug ?? ''}`;
    return { status: 201, body: { webhook_url, replaced: Boolean(before?.webhook_token) } } as const;
  });
