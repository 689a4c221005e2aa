import { kmsUse, lockKms } from '../../../db/kms/adminKms';
import { Problem } from '../../../domain/core/problem';
import type { Handler } from '../../types';
import { removeRow } from '../../core/admin/resource';
import { kms } from '../../core/admin/resourcesGpus';
import { counted } from '../../../../console/lib/texts/count';

/** "1 teepod belongs", "2 teepods and 1 contract belong" */
function belonging(teepods: number, contracts: number): string {
  const parts = [
    ...(teepods > 0 ? [counted(teepods, ['teepod', 'teepods'])] : []),
    ...(contracts > 0 ? [counted(contracts, ['contract', 'contracts'])] : []),
  ];
  return `${parts.join(' and ')} ${teepods + contracts === 1 ? 'belongs' : 'belong'}`;
}

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
              ? `“${row.slug}” provides keys to apps or did in the past, and their history refers to it.`
              : `${belonging(teepods, contracts)} to “${row.slug}”.`,
          suggestions: [
            past > 0 ? 'Set its state to retired.' : 'Assign its teepods and contracts to another KMS first.',
          ],
        });
    },
    kept: ['slug', 'type', 'url', 'k256_pubkey', 'ca_pubkey', 'state'],
  });
  ctx.kms.drop(path.id);
  return reply;
};
