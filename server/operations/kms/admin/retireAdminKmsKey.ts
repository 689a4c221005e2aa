import { adminOne } from '../../../db/core/adminList';
import { adminKms, lockKms } from '../../../db/kms/adminKms';
import { Problem } from '../../../domain/core/problem';
import { adminKmsOut } from '../../../domain/kms/adminKmsResponse';
import { presentsWhich } from '../../../domain/kms/kmsKeys';
import { checkKms } from '../../../jobs/kms/checkKms';
import type { Handler } from '../../types';
import { etagOf, nextVersion } from '../../core/admin/change';
import { missing } from '../../core/admin/resource';
import { kms } from '../../core/admin/resourcesGpus';

export const retireAdminKmsKey: Handler<'retireAdminKmsKey'> = async ({ path, ctx }) => {
  const found = await adminOne(ctx.db, adminKms, path.id);
  if (!found) throw missing(kms, path.id);
  // What it presented minutes ago may be the key it no longer has.
  await checkKms(ctx, found, ctx.signal);
  await ctx.write(async ({ trx, audit }) => {
    const before = await lockKms(trx, path.id);
    if (!before) throw missing(kms, path.id);
    const { slug, k256_pubkey, next_k256_pubkey } = before;
    if (next_k256_pubkey === null)
      throw new Problem('CONFLICT', {
        message: `“${slug}” has no next root key, so its only one can't be retired.`,
        suggestions: ['Pin the next root key first.'],
      });
    if (presentsWhich(before) !== 'next' || before.last_error !== null)
      throw new Problem('CONFLICT', {
        message:
          before.last_error === null
            ? `“${slug}” doesn't present its next root key, so nothing could be encrypted to it without the old one.`
            : `“${slug}” didn't respond, so it isn't known whether it presents its next root key.`,
        suggestions: ['Let it present the next root key first, or remove that key to keep the old one.'],
      });
    await trx
      .updateTable('kms')
      .set({ k256_pubkey: next_k256_pubkey, next_k256_pubkey: null, updated_at: nextVersion(before) })
      .where('id', '=', path.id)
      .execute();
    await audit({
      action: 'kms.retire_key',
      target_kind: 'kms',
      target_id: String(path.id),
      before: { k256_pubkey, next_k256_pubkey },
      after: { k256_pubkey: next_k256_pubkey, next_k256_pubkey: null },
    });
  });
  // Its notices name the next key.
  await checkKms(ctx, found, ctx.signal);
  const row = await adminOne(ctx.db, adminKms, path.id);
  if (!row) throw missing(kms, path.id);
  return { status: 200, headers: { ETag: etagOf('kms', row.id, row.updated_at) }, body: adminKmsOut(row) };
};
