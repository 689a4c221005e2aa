import { createHash } from 'node:crypto';
import type { Generated, GeneratedAlways, Selectable } from 'kysely';
import { publicId } from '../../domain/core/publicId';
import type { Db, Tx } from '../core/client';

/** One row per Ethereum address that a user has linked (migration 0201_account_wallets). */
export interface AccountWalletsTable {
  id: GeneratedAlways<number>;
  public_id: string;
  user_id: number;
  /** Lowercase. */
  address: string;
  created_at: Generated<Date>;
}

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

/** `too_many` and `duplicate` say why nothing was added. */
export async function addWallet(
  trx: Tx,
  user_id: number,
  address: string,
): Promise<WalletRow | 'too_many' | 'duplicate'> {
  // Serialized per user, so the limit holds for concurrent requests.
  await trx.selectFrom('users').select('id').where('id', '=', user_id).forUpdate().execute();
  const wallets = await listWalletsOf(trx, user_id);
  if (wallets.some((wallet) => wallet.address === address)) return 'duplicate';
  if (wallets.length >= MAX_WALLETS) return 'too_many';
  return trx
    .insertInto('account_wallets')
    .values({ public_id: publicId('wal'), user_id, address })
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
