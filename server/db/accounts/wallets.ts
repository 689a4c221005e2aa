import { createHash } from 'node:crypto';
import type { Generated, GeneratedAlways, Selectable } from 'kysely';
import { publicId } from '../../domain/core/publicId';
import type { Db, Tx } from '../core/client';

/**
 * One row per Ethereum address that a user has linked (migrations 0201_account_wallets, 0320_sources_of_trust).
 */
export interface AccountWalletsTable {
  id: GeneratedAlways<number>;
  public_id: string;
  user_id: number;
  /** Lowercase. */
  address: string;
  /** Null: linked before this was recorded. */
  proof: WalletProof['proof'] | null;
  /** Where the contract accepted the signature. The contract at the same address of another network may be another's. */
  chain_id: number | null;
  created_at: Generated<Date>;
}

/** A key's address is the same account on every network. */
export type WalletProof = { proof: 'key'; chain_id: null } | { proof: 'contract'; chain_id: number };

/**
 * One row per message that linked a wallet, until the message expires (migration 0293_used_wallet_messages).
 */
export interface UsedWalletMessagesTable {
  message_hash: Buffer;
  user_id: number;
  expires_at: Date;
}

export type WalletRow = Selectable<AccountWalletsTable>;

export const MAX_WALLETS = 20;

export const listWalletsOf = (db: Db | Tx, user_id: number): Promise<WalletRow[]> =>
  db
    .selectFrom('account_wallets')
    .selectAll()
    .where('user_id', '=', user_id)
    .orderBy('id')
    .limit(MAX_WALLETS)
    .execute();

/** Returns the user's addresses that are theirs on this network, as far as recorded. */
export async function walletsOnChain(db: Db | Tx, user_id: number, chain_id: number): Promise<string[]> {
  return (await listWalletsOf(db, user_id)).flatMap((wallet) =>
    wallet.proof === 'key' || (wallet.proof === 'contract' && wallet.chain_id === chain_id)
      ? [wallet.address]
      : [],
  );
}

/**
 * Adds an address. Linking one again replaces its proof, unless the new one says no more. `too_many` and
 * `duplicate` say why nothing was written.
 */
export async function addWallet(
  trx: Tx,
  user_id: number,
  { address, ...proof }: WalletProof & { address: string },
): Promise<WalletRow | 'too_many' | 'duplicate'> {
  // Serialized per user, so the limit holds for concurrent requests.
  await trx.selectFrom('users').select('id').where('id', '=', user_id).forUpdate().execute();
  const wallets = await listWalletsOf(trx, user_id);
  const linked = wallets.find((wallet) => wallet.address === address);
  if (linked) {
    const isSame = linked.proof === proof.proof && linked.chain_id === proof.chain_id;
    if (isSame || linked.proof === 'key') return 'duplicate';
    return trx
      .updateTable('account_wallets')
      .set(proof)
      .where('id', '=', linked.id)
      .returningAll()
      .executeTakeFirstOrThrow();
  }
  if (wallets.length >= MAX_WALLETS) return 'too_many';
  return trx
    .insertInto('account_wallets')
    .values({ public_id: publicId('wal'), user_id, address, ...proof })
    .returningAll()
    .executeTakeFirstOrThrow();
}

/** Uses a message up; returns false if it was already used. */
export async function consumeWalletMessage(
  trx: Tx,
  { message, user_id, expires_at }: { message: string; user_id: number; expires_at: Date },
): Promise<boolean> {
  const used = await trx
    .insertInto('used_wallet_messages')
    .values({ message_hash: createHash('sha256').update(message).digest(), user_id, expires_at })
    .onConflict((conflict) => conflict.doNothing())
    .returning('user_id')
    .executeTakeFirst();
  return used !== undefined;
}

/** Returns undefined if the user has no such wallet. */
export const removeWallet = (trx: Tx, user_id: number, public_id: string): Promise<WalletRow | undefined> =>
  trx
    .deleteFrom('account_wallets')
    .where('user_id', '=', user_id)
    .where('public_id', '=', public_id)
    .returningAll()
    .executeTakeFirst();
