import { adminKmsContracts } from '../../../db/kms/adminKms';
import { adminOne } from '../../../db/core/adminList';
import { exists } from '../../../db/hosts/adminTeepods';
import { chainIdOf } from '../../../../console/lib/kms/chains';
import { adminKmsContractOut } from '../../../domain/kms/adminKmsResponse';
import { readContract } from '../../../jobs/kms/readContracts';
import type { Context, Handler } from '../../types';
import { etagOf, keysOf, namingConflict } from '../../core/admin/change';
import { invalid } from '../../core/invalid';
import { missing } from '../../core/admin/resource';
import { checkTexts } from '../../core/text';
import { kmsContracts } from '../../core/admin/resourcesGpus';

const ADDRESSES = {
  kms_contracts_chain_id_address_key: {
    field: 'address',
    message: 'This contract is already in the list.',
  },
};

export const createAdminKmsContract: Handler<'createAdminKmsContract'> = async ({ body, ctx }) => {
  checkTexts(body, ['label']);
  const { chain, ...rest } = body;
  const values = { ...rest, chain_id: chainIdOf(chain), address: body.address.toLowerCase() };
  await checkKmsId(ctx, body.kms_id);
  const reply = await namingConflict(ADDRESSES, () =>
    ctx.write(async ({ trx, audit }) => {
      const { id } = await trx
        .insertInto('kms_contracts')
        .values(values)
        .returning('id')
        .executeTakeFirstOrThrow();
      const row = await adminOne(trx, adminKmsContracts, id);
      if (!row) throw missing(kmsContracts, id);
      await audit({
        action: 'kms_contract.create',
        target_kind: 'kms_contract',
        target_id: String(id),
        after: keysOf(values, Object.keys(values)),
      });
      return {
        status: 201,
        headers: { ETag: etagOf('kms-contracts', id, row.updated_at) },
        body: adminKmsContractOut(row),
      } as const;
    }),
  );
  // Not under a lock, as the chain may be slow.
  await readContract(ctx, { id: reply.body.id, ...values }, ctx.signal);
  const row = await adminOne(ctx.db, adminKmsContracts, reply.body.id);
  return row ? { ...reply, body: adminKmsContractOut(row) } : reply;
};

export async function checkKmsId(ctx: Pick<Context, 'db'>, kms_id: number | null | undefined): Promise<void> {
  if (typeof kms_id === 'number' && !(await exists(ctx.db, 'kms', kms_id)))
    throw invalid('kms_id', `There is no key management service ${kms_id}.`);
}
