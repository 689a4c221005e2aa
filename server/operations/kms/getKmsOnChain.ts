import { chainNamed } from '../../../console/lib/kms/chains';
import { listKmsContracts } from '../../db/kms/kms';
import { Problem } from '../../domain/core/problem';
import { contractOut, MAX_LISTED, type ContractFields } from '../../domain/catalog/catalogResponse';
import type { Context, Handler } from '../types';
import { answered } from './onChain';

export const getKmsOnChain: Handler<'getKmsOnChain'> = async ({ path, ctx }) => {
  const found = chainNamed(path.chain);
  if (!found) throw new Problem('UNKNOWN_CHAIN');
  const chain = { chain_name: found.slug, chain_id: found.id };
  const contracts = await listKmsContracts(ctx.db, found.id);
  const allowed = await Promise.all(contracts.map((contract) => allowedBy(ctx, found.id, contract)));
  return {
    status: 200,
    body: {
      ...chain,
      contracts: contracts.map((contract, i) => contractOut(contract, chain, allowed[i] ?? null)),
    },
  };
};

/** Returns null if the chain can't be read: cached decisions are never reported as current. */
async function allowedBy(
  ctx: Context,
  chain_id: number,
  { kms_contract_address, devices, os_images }: ContractFields,
) {
  const question = {
    os_image_hashes: os_images.slice(0, MAX_LISTED).map(({ os_image_hash }) => os_image_hash ?? ''),
    device_ids: devices.slice(0, MAX_LISTED).map(({ device_id }) => device_id),
  };
  try {
    const contract = { chain_id, address: kms_contract_address };
    const lists = await answered(ctx, (signal) => ctx.chain.readKmsLists(contract, question, signal));
    return {
      devices: lists.devices,
      os_images: lists.os_images.map((is, i) => (os_images[i]?.os_image_hash == null ? null : is)),
    };
  } catch (error) {
    if (error instanceof Problem && error.code === 'ERR-00-048') return null;
    throw error;
  }
}
