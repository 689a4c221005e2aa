import { chainNamed } from '../../../console/lib/kms/chains';
import { listKmsContracts } from '../../db/kms/kms';
import { Problem } from '../../domain/core/problem';
import { contractOut } from '../../domain/catalog/catalogResponse';
import type { Handler } from '../types';

export const getKmsOnChain: Handler<'getKmsOnChain'> = async ({ path, ctx }) => {
  const found = chainNamed(path.chain);
  if (!found) throw new Problem('UNKNOWN_CHAIN');
  const chain = { chain_name: found.slug, chain_id: found.id };
  const contracts = await listKmsContracts(ctx.db, found.id);
  return {
    status: 200,
    body: { ...chain, contracts: contracts.map((contract) => contractOut(contract, chain)) },
  };
};
