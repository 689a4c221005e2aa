import { chainNamed } from '../../../console/lib/kms/chains';
import { findApp } from '../../db/apps/apps';
import { listKmsContracts } from '../../db/kms/kms';
import { Problem } from '../../domain/core/problem';
import { contractOf } from '../apps/isAllowed';
import { teamOf } from '../core/caller';
import type { Context, Handler } from '../types';
import { answered } from './onChain';

/** Limited to contracts that this server knows: it must not be an open RPC. */
export const estimateTransactionFee: Handler<'estimateTransactionFee'> = async ({ path, body, ctx }) => {
  const chain = chainNamed(path.chain);
  if (!chain) throw new Problem('UNKNOWN_CHAIN');
  const contract = { chain_id: chain.id, address: body.to.toLowerCase() };
  if (!(await isKnown(ctx, contract)))
    throw new Problem('NOT_FOUND', {
      message: `${body.to} is neither a KMS contract on ${chain.name} nor the contract of one of this team's apps.`,
    });
  const sending = { from: body.from ?? null, data: body.data };
  const { gas, gas_price, error } = await answered(ctx, (signal) =>
    ctx.chain.estimateFee(contract, sending, signal),
  );
  return { status: 200, body: { gas, gas_price: String(gas_price), error } };
};

async function isKnown(ctx: Context, contract: { chain_id: number; address: string }): Promise<boolean> {
  const found = await findApp(ctx.db, teamOf(ctx).id, contract.address.slice(2));
  const governing = found && (await contractOf(ctx, found.app));
  if (governing) return governing.chain_id === contract.chain_id;
  const known = await listKmsContracts(ctx.db, contract.chain_id);
  return known.some(({ kms_contract_address }) => kms_contract_address.toLowerCase() === contract.address);
}
