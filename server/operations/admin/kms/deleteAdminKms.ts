import { kmsUse, lockKms } from '../../../db/adminKms';
import { Problem } from '../../../domain/problem';
import type { Handler } from '../../types';
import { keysOf } from '../change';
import { missing } from '../resource';
import { kms } from '../resourcesGpus';

export const deleteAdminKms: Handler<'deleteAdminKms'> = async ({ path, ctx }) => {
  const reply = await ctx.write(async ({ trx, audit }) => {
    const row = await lockKms(trx, path.id);
    if (!row) throw missing(kms, path.id);
    const { teepods, contracts, past } = await kmsUse(trx, row.id);
    if (teepods > 0 || contracts > 0 || past > 0)
      throw new Problem('IN_USE', {
        message:
          past > 0
            ? `Apps have, or had, their keys from “${row.slug}”; their history names it.`
            : `${teepods} teepods and ${contracts} contracts belong to “${row.slug}”.`,
        suggestions: [
          past > 0 ? 'Set its state to retired.' : 'Give the teepods and contracts another one first.',
        ],
      });
    await trx.deleteFrom('kms').where('id', '=', row.id).execute();
    await audit({
      action: 'kms.delete',
      target_kind: 'kms',
      target_id: String(row.id),
      before: keysOf(row, ['slug', 'type', 'url', 'k256_pubkey', 'ca_pubkey', 'state']),
    });
    return { status: 204 } as const;
  });
  ctx.kms.drop(path.id);
  return reply;
};
