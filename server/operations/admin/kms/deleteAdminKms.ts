import { kmsUse, lockKms } from '../../../db/adminKms';
import { Problem } from '../../../domain/problem';
import type { Handler } from '../../types';
import { removeRow } from '../resource';
import { kms } from '../resourcesGpus';

export const deleteAdminKms: Handler<'deleteAdminKms'> = async ({ path, ctx }) => {
  const reply = await removeRow(ctx, kms, path.id, {
    kind: 'kms',
    table: 'kms',
    lock: lockKms,
    async check(trx, row) {
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
    },
    kept: ['slug', 'type', 'url', 'k256_pubkey', 'ca_pubkey', 'state'],
  });
  ctx.kms.drop(path.id);
  return reply;
};
