import { listKmsContracts } from '../../db/kms/kms';
import { Problem } from '../../domain/core/problem';
import { contractOut } from '../../domain/catalog/catalogResponse';
import type { Handler } from '../types';
import { ownValue } from '../../../console/lib/ownValue';

/** Clients' names, which differ from those of chain registries. */
const CHAINS: Readonly<Record<string, number>> = { ethereum: 1, base: 8453 };

export const getKmsOnChain: Handler<'getKmsOnChain'> = async ({ path, ctx }) => {
  const chain_name = path.chain.toLowerCase();
  const chain_id = Object.hasOwn(CHAINS, chain_name) ? ownValue(CHAINS, chain_name) : undefined;
  if (chain_id === undefined) throw new Problem('UNKNOWN_CHAIN');
  const chain = { chain_name, chain_id };
  const contracts = await listKmsContracts(ctx.db, chain_id);
  return {
    status: 200,
    body: { ...chain, contracts: contracts.map((contract) => contractOut(contract, chain)) },
  };
};
