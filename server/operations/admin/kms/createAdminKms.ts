import { adminOne } from '../../../db/adminList';
import { adminKms } from '../../../db/adminKms';
import { CHAIN_IDS } from '../../../domain/chains';
import { publicId } from '../../../domain/publicId';
import { adminKmsOut } from '../../../domain/wire/adminKms';
import { checkKms } from '../../../jobs/checkKms';
import type { Handler } from '../../types';
import { etagOf, keysOf, namingConflict } from '../change';
import { missing } from '../resource';
import { kms } from '../resourcesGpus';
import { checkUrl, KMS_NAMES } from './kmsRules';

export const createAdminKms: Handler<'createAdminKms'> = async ({ body, ctx }) => {
  const { chain, ...rest } = body;
  checkUrl(ctx, body.url);
  const id = await namingConflict(KMS_NAMES, () =>
    ctx.write(async ({ trx, audit }) => {
      const chain_id = chain ? CHAIN_IDS[chain] : null;
      const row = await trx
        .insertInto('kms')
        .values({ ...rest, chain_id, public_id: publicId('kms') })
        .returningAll()
        .executeTakeFirstOrThrow();
      await audit({
        action: 'kms.create',
        target_kind: 'kms',
        target_id: String(row.id),
        after: { ...keysOf(row, Object.keys(rest)), chain_id },
      });
      return row.id;
    }),
  );
  await checkKms(ctx, { id, url: body.url, slug: body.slug }, ctx.signal);
  const row = await adminOne(ctx.db, adminKms, id);
  if (!row) throw missing(kms, id);
  return { status: 201, headers: { ETag: etagOf('kms', id, row.updated_at) }, body: adminKmsOut(row) };
};
