import { adminKmsContracts } from '../../../db/adminKms';
import { adminOne } from '../../../db/adminList';
import { exists } from '../../../db/adminTeepods';
import { CHAIN_IDS } from '../../../domain/chains';
import { adminKmsContractOut } from '../../../domain/wire/adminKms';
import { readContract } from '../../../jobs/readContracts';
import type { Context, Handler } from '../../types';
import { etagOf, invalid, keysOf, namingConflict } from '../change';
import { missing } from '../resource';
import { kmsContracts } from '../resourcesGpus';

const ADDRESSES = {
  kms_contracts_chain_id_address_key: {
    field: 'address',
    message: 'This contract is in the list already.',
  },
};

export const createAdminKmsContract: Handler<'createAdminKmsContract'> = async ({ body, ctx }) => {
  const { chain, ...rest } = body;
  const values = { ...rest, chain_id: CHAIN_IDS[chain], address: body.address.toLowerCase() };
  await checkKmsId(ctx, body.kms_id);
  const made = await namingConflict(ADDRESSES, () =>
    ctx.write(async ({ trx, audit }) => {
      const row = await trx
        .insertInto('kms_contracts')
        .values(values)
        .returning(['id', 'chain_id', 'address'])
        .executeTakeFirstOrThrow();
      await audit({
        action: 'kms_contract.create',
        target_kind: 'kms_contract',
        target_id: String(row.id),
        after: keysOf(values, Object.keys(values)),
      });
      return row;
    }),
  );
  await readContract(ctx, made, ctx.signal);
  const row = await adminOne(ctx.db, adminKmsContracts, made.id);
  if (!row) throw missing(kmsContracts, made.id);
  return {
    status: 201,
    headers: { ETag: etagOf('kms-contracts', row.id, row.updated_at) },
    body: adminKmsContractOut(row),
  };
};

export async function checkKmsId(ctx: Pick<Context, 'db'>, kms_id: number | null | undefined): Promise<void> {
  if (typeof kms_id === 'number' && !(await exists(ctx.db, 'kms', kms_id)))
    throw invalid('kms_id', `There is no key management service ${kms_id}.`);
}
