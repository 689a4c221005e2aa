import { publicId } from '../../domain/core/publicId';
import type { Tx } from '../core/client';

const SLUG = 'local-chain';

/** The local teepod's KMS with a contract. */
export interface LocalChainKms {
  url: string;
  k256_pubkey: string;
  ca_pubkey: string | null;
  chain_id: number;
  /** Address of the KMS contract, 0x and lowercase. */
  address: string;
}

/**
 * Registers the KMS and its contract, so that the local teepod's CVMs may get their keys from it. Its root key
 * is pinned once; the contract follows the configuration. Without a contract, the KMS takes no new apps.
 */
export async function registerChainKms(trx: Tx, teepod_id: number, kms: LocalChainKms | null): Promise<void> {
  if (!kms) {
    await trx.updateTable('kms').set({ state: 'retired' }).where('slug', '=', SLUG).execute();
    return;
  }
  const { url, chain_id, address, k256_pubkey, ca_pubkey } = kms;
  const current = { url, chain_id, kms_contract_address: address, state: 'active' as const };
  const { id } = await trx
    .insertInto('kms')
    .values({
      ...current,
      public_id: publicId('kms'),
      slug: SLUG,
      type: 'base',
      version: 'local',
      k256_pubkey,
      ca_pubkey,
    })
    .onConflict((conflict) => conflict.column('slug').doUpdateSet({ ...current, updated_at: new Date() }))
    .returning('id')
    .executeTakeFirstOrThrow();
  await trx
    .insertInto('teepod_kms')
    .values({ teepod_id, kms_id: id })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  await trx
    .insertInto('kms_contracts')
    .values({ kms_id: id, chain_id, address, label: 'Local development' })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}
