import { adminOne } from '../../../db/core/adminList';
import { adminKms } from '../../../db/kms/adminKms';
import { chainIdOf } from '../../../../console/lib/kms/chains';
import { publicId } from '../../../domain/core/publicId';
import { adminKmsOut } from '../../../domain/kms/adminKmsResponse';
import { checkKms } from '../../../jobs/kms/checkKms';
import type { Handler } from '../../types';
import { etagOf, keysOf, namingConflict } from '../../core/admin/change';
import { missing } from '../../core/admin/resource';
import { kms } from '../../core/admin/resourcesGpus';
import { checkRootKey, checkUrl, KMS_NAMES } from './kmsRules';

export const createAdminKms: Handler<'createAdminKms'> = async ({ body, ctx }) => {
  const { chain, ...rest } = body;
  checkUrl(ctx, body.url);
  checkRootKey('k256_pubkey', body.k256_pubkey);
  // The same reply as for a repeated request; the KMS isn't queried while holding a lock.
  const reply = await namingConflict(KMS_NAMES, () =>
    ctx.write(async ({ trx, audit }) => {
      const chain_id = chain ? chainIdOf(chain) : null;
      const { id } = await trx
        .insertInto('kms')
        .values({ ...rest, chain_id, public_id: publicId('kms') })
        .returning('id')
        .executeTakeFirstOrThrow();
      const row = await adminOne(trx, adminKms, id);
      if (!row) throw missing(kms, id);
      await audit({
        action: 'kms.create',
        target_kind: 'kms',
        target_id: String(id),
        after: { ...keysOf(row, Object.keys(rest)), chain_id },
      });
      return {
        status: 201,
        headers: { ETag: etagOf('kms', id, row.updated_at) },
        body: adminKmsOut(row),
      } as const;
    }),
  );
  const { id } = reply.body;
  await checkKms(ctx, { id, url: body.url, slug: body.slug }, ctx.signal);
  const row = await adminOne(ctx.db, adminKms, id);
  return row ? { ...reply, body: adminKmsOut(row) } : reply;
};
