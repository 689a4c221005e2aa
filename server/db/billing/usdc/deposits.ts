import { sql } from 'kysely';
import { MIN_DEPOSIT } from '../../../../console/lib/billing/usdc';
import { childAddress } from '../../../domain/billing/usdc/address';
import type { ChainContract } from '../../../domain/kms/chainContract';
import type { Db, Tx } from '../../core/client';
import { creditReceipt, insertPayment, lockPayment } from '../payments';
import type { PaymentRow } from '../paymentsTables';
import { lockReceipt, reverseReceipt } from '../reversal';
import type { UsdcDepositRow, UsdcNetworkRow } from './depositsTables';

export async function addressOf(db: Db | Tx, team_id: number): Promise<string | null> {
  const row = await db
    .selectFrom('usdc_addresses')
    .select('address')
    .where('team_id', '=', team_id)
    .executeTakeFirst();
  return row?.address ?? null;
}

/** Gives a locked team without an address the key's next one. */
export async function giveAddress(trx: Tx, team_id: number, xpub: string): Promise<string> {
  for (;;) {
    const { rows } = await sql<{ child: number }>`select nextval('usdc_children')::int as child`.execute(trx);
    const address = childAddress(xpub, rows[0]!.child);
    // Another key may have had this child before.
    const given = await trx
      .insertInto('usdc_addresses')
      .values({ team_id, address })
      .onConflict((conflict) => conflict.column('address').doNothing())
      .returning('address')
      .executeTakeFirst();
    if (given) return given.address;
  }
}

/** Returns every team's address. */
export const allAddresses = (db: Db): Promise<{ team_id: number; address: string }[]> =>
  db.selectFrom('usdc_addresses').select(['team_id', 'address']).execute();

export const readNetworks = (db: Db): Promise<UsdcNetworkRow[]> =>
  db.selectFrom('usdc_networks').selectAll().execute();

export const networkRow = (
  db: Db,
  { chain_id, address }: ChainContract,
): Promise<UsdcNetworkRow | undefined> =>
  db
    .selectFrom('usdc_networks')
    .selectAll()
    .where('chain_id', '=', chain_id)
    .where('token', '=', address)
    .executeTakeFirst();

/** Records how far a token was read. */
export const recordRead = (db: Db | Tx, { chain_id, address }: ChainContract, next_block: number) =>
  db
    .insertInto('usdc_networks')
    .values({ chain_id, token: address, next_block, error: null })
    .onConflict((conflict) => conflict.columns(['chain_id', 'token']).doUpdateSet({ next_block }))
    .execute();

/** Records an attempt to read a token up to the newest block. @param error null on success */
export const recordTry = (db: Db, { chain_id, address }: ChainContract, error: string | null) =>
  db
    .updateTable('usdc_networks')
    .set({ error, tried_at: new Date(), ...(error === null ? { read_at: new Date() } : {}) })
    .where('chain_id', '=', chain_id)
    .where('token', '=', address)
    .execute();

/** Returns a team's deposits, newest first. */
export const depositsOfTeam = (db: Db, team_id: number, limit: number) =>
  db
    .selectFrom('usdc_deposits')
    .leftJoin('payments', 'payments.id', 'usdc_deposits.payment_id')
    .selectAll('usdc_deposits')
    .select('payments.public_id as payment_public_id')
    .where('usdc_deposits.team_id', '=', team_id)
    .orderBy('usdc_deposits.id', 'desc')
    .limit(limit)
    .execute();

/** Returns the deposits in a range of blocks that the chain has not undone. */
export const depositsBetween = (
  db: Db,
  { chain_id, address }: ChainContract,
  { from, to }: { from: number; to: number },
): Promise<UsdcDepositRow[]> =>
  db
    .selectFrom('usdc_deposits')
    .selectAll()
    .where('chain_id', '=', chain_id)
    .where('token', '=', address)
    .where('block_number', '>=', from)
    .where('block_number', '<=', to)
    .where('state', 'in', ['pending', 'small', 'credited'])
    .execute();

/** Records that a read found a deposit, either new or again, possibly in another block. */
export async function recordDeposit(
  db: Db | Tx,
  { chain_id, address }: ChainContract,
  {
    certain,
    ...deposit
  }: Pick<
    UsdcDepositRow,
    'tx_hash' | 'log_index' | 'block_number' | 'block_hash' | 'team_id' | 'amount_micros'
  > & { certain: boolean },
): Promise<UsdcDepositRow> {
  const { block_number, block_hash, amount_micros } = deposit;
  const agreed_at = certain ? new Date() : null;
  const fresh = amount_micros < MIN_DEPOSIT ? 'small' : 'pending';
  return db
    .insertInto('usdc_deposits')
    .values({ ...deposit, chain_id, token: address, state: fresh, payment_id: null, agreed_at })
    .onConflict((conflict) =>
      conflict.columns(['chain_id', 'tx_hash', 'log_index']).doUpdateSet((eb) => ({
        block_number,
        block_hash,
        // A chain may restore what it had undone.
        state: sql<
          UsdcDepositRow['state']
        >`case when ${eb.ref('usdc_deposits.state')} in ('dropped', 'reversed')
          then ${fresh} else ${eb.ref('usdc_deposits.state')} end`,
        missing_reads: 0,
        agreed_at: eb.fn.coalesce('usdc_deposits.agreed_at', sql<Date | null>`${agreed_at}`),
        updated_at: new Date(),
      })),
    )
    .returningAll()
    .executeTakeFirstOrThrow();
}

/** Counts a read that didn't find a credited deposit. @returns how many in a row */
export async function countMissing(db: Db, id: number): Promise<number> {
  const row = await db
    .updateTable('usdc_deposits')
    .set((eb) => ({ missing_reads: eb('missing_reads', '+', 1), updated_at: new Date() }))
    .where('id', '=', id)
    .returning('missing_reads')
    .executeTakeFirstOrThrow();
  return row.missing_reads;
}

/** Ends a deposit that the chain undid before it counted. */
export const dropDeposit = (db: Db, id: number) =>
  db
    .updateTable('usdc_deposits')
    .set({ state: 'dropped', updated_at: new Date() })
    .where('id', '=', id)
    .where('state', 'in', ['pending', 'small'])
    .execute();

/** Position on its chain, which is unique per deposit. */
const receiptReference = ({ chain_id, tx_hash, log_index }: UsdcDepositRow) =>
  `${chain_id}:${tx_hash}:${log_index}`;

const lockDeposit = (trx: Tx, id: number, state: 'pending' | 'credited') =>
  trx
    .selectFrom('usdc_deposits')
    .selectAll()
    .where('id', '=', id)
    .where('state', '=', state)
    .forUpdate()
    .executeTakeFirst();

/** Adds a confirmed deposit to its team's balance, once. @returns its payment; null if it was added before */
export async function creditDeposit(trx: Tx, id: number): Promise<PaymentRow | null> {
  const deposit = await lockDeposit(trx, id, 'pending');
  if (!deposit) return null;
  const { team_id, amount_micros } = deposit;
  const started = await insertPayment(trx, { team_id, amount_micros, driver: 'usdc', created_by: null });
  const payment = await creditReceipt(trx, started, {
    amount_micros,
    bank_reference: receiptReference(deposit),
    received_at: new Date(),
    confirmed_by: null,
  });
  await trx
    .updateTable('usdc_deposits')
    .set({ state: 'credited', payment_id: payment.id, updated_at: new Date() })
    .where('id', '=', id)
    .execute();
  return payment;
}

/** Takes back a deposit that the chain has undone, once. @returns its payment; null if it was taken back before */
export async function reverseDeposit(trx: Tx, id: number): Promise<PaymentRow | null> {
  const deposit = await lockDeposit(trx, id, 'credited');
  if (!deposit?.payment_id) return null;
  const payment = await lockPayment(trx, { id: deposit.payment_id });
  const receipt = payment && (await lockReceipt(trx, payment.id, receiptReference(deposit)));
  if (!receipt) return null;
  await trx
    .updateTable('usdc_deposits')
    .set({ state: 'reversed', updated_at: new Date() })
    .where('id', '=', id)
    .execute();
  return reverseReceipt(trx, payment, receipt, {
    reason: `The network no longer has the transaction ${deposit.tx_hash}.`,
    user_id: null,
    now: new Date(),
    what: `USDC deposit ${payment.reference} was undone`,
    title: 'A USDC deposit was undone',
  });
}
