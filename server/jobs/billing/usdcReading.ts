import type { Logger } from 'pino';
import { formatMicros } from '../../../console/lib/billing/money';
import type { ChainContract } from '../../domain/kms/chainContract';
import { appendAudit } from '../../db/audit/auditLog';
import {
  allAddresses,
  countMissing,
  creditDeposit,
  depositsBetween,
  dropDeposit,
  recordDeposit,
  reverseDeposit,
} from '../../db/billing/usdc/deposits';
import type { UsdcDepositRow } from '../../db/billing/usdc/depositsTables';
import { recordGap } from '../../db/billing/usdc/lookups';
import type { PaymentRow } from '../../db/billing/paymentsTables';
import { withTransaction, type Db, type Tx } from '../../db/core/client';
import { ChainError, type ChainDriver, type TransferChunk } from '../../drivers/chain';

/** Consecutive reads that miss a credited deposit until it is reversed. An RPC may lag. */
const MISSING_READS = 20;
/** Micro-dollars. Smaller deposits get no row, because anyone can send any number of them. */
const MIN_SHOWN = 10_000;

/** The reader of one network. */
export interface UsdcReader {
  db: Db;
  chain: ChainDriver;
  log: Logger;
  token: ChainContract;
  /** Blocks until a deposit counts, including its own. */
  confirmations: number;
}

interface Range {
  from: number;
  /** Unset: as far as one read reaches. */
  to?: number;
}

/** Reads a range of blocks on behalf of the owners of these addresses. @throws {ChainError} */
export type Read = (range: Range, recipients: readonly string[]) => Promise<TransferChunk>;

/** Returns a reader with a time limit. */
export function readerWithin({ chain, token }: UsdcReader, ms: number): Read & { isOver: () => boolean } {
  const signal = AbortSignal.timeout(ms);
  const read: Read = async (range, recipients) => {
    try {
      return await chain.readTransfers(token, { ...range, recipients, least: MIN_SHOWN }, signal);
    } catch (error) {
      if (!signal.aborted || error instanceof ChainError) throw error;
      throw new ChainError('unreachable', `It took longer than ${ms / 1000} seconds to read.`);
    }
  };
  return Object.assign(read, { isOver: () => signal.aborted });
}

/** Reads the deposits of all teams in a range of blocks. */
export async function readDeposits(reader: UsdcReader, read: Read, range: Range): Promise<TransferChunk> {
  const { db, log, token } = reader;
  const { from } = range;
  const teams = new Map((await allAddresses(db)).map(({ address, team_id }) => [address, team_id]));
  const found = await read(range, [...teams.keys()]);
  if (found.to < from) return found;
  // Recipients whose transfers are unknown.
  const unread = new Set<number>();
  for (const address of found.skipped) {
    const team_id = teams.get(address);
    if (team_id === undefined) continue;
    unread.add(team_id);
    log.error({ address, block: from }, 'skipped USDC deposits to an address: too many in one block');
    await recordGap(db, token, { team_id, block_number: from });
  }
  const before = await depositsBetween(db, token, { from, to: found.to });
  const seen = await settle(reader, found, teams);
  // A single RPC could hide deposits.
  if (!found.complete) return found;
  for (const deposit of before)
    if (!seen.has(deposit.id) && !unread.has(deposit.team_id)) await miss(reader, deposit);
  return found;
}

/** Records the deposits found, and credits those with enough confirmations. @returns the deposits */
export async function settle(
  { db, log, token, confirmations }: UsdcReader,
  { latest, transfers }: TransferChunk,
  teams: ReadonlyMap<string, number>,
): Promise<ReadonlySet<number>> {
  const seen = new Set<number>();
  for (const { to: address, value, ...place } of transfers) {
    const team_id = teams.get(address);
    if (team_id === undefined) continue;
    if (value > BigInt(Number.MAX_SAFE_INTEGER)) {
      log.error({ tx: place.tx_hash, value: String(value) }, 'USDC deposit too large to post');
      continue;
    }
    const deposit = await recordDeposit(db, token, { ...place, team_id, amount_micros: Number(value) });
    seen.add(deposit.id);
    const isDeep = latest - place.block_number + 1 >= confirmations;
    if (deposit.state === 'pending' && place.certain && isDeep) await credit(db, deposit.id);
  }
  return seen;
}

/** Handles a deposit that a read of its block didn't find. */
export async function miss({ db, log }: UsdcReader, { id, state, chain_id }: UsdcDepositRow): Promise<void> {
  if (state !== 'credited') await dropDeposit(db, id);
  else if ((await countMissing(db, id)) >= MISSING_READS) {
    log.error({ deposit: id, chain: chain_id }, 'a reorganization undid a credited USDC deposit');
    await takeBack(db, id);
  }
}

const credit = (db: Db, id: number) =>
  withTransaction(db, async (trx) => audit(trx, 'payment.receive', await creditDeposit(trx, id)));

const takeBack = (db: Db, id: number) =>
  withTransaction(db, async (trx) => audit(trx, 'payment.reverse', await reverseDeposit(trx, id)));

async function audit(trx: Tx, action: string, payment: PaymentRow | null): Promise<void> {
  if (!payment) return;
  const { team_id, public_id, state, received_micros } = payment;
  await appendAudit(trx, [
    {
      actor_kind: 'system',
      team_id,
      action,
      target_kind: 'payment',
      target_id: public_id,
      after: { state, received: formatMicros(received_micros), driver: 'usdc' },
    },
  ]);
}
