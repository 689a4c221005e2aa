import type { Logger } from 'pino';
import { formatMicros } from '../../../console/lib/billing/money';
import type { UsdcNetwork } from '../../domain/billing/usdc/network';
import { appendAudit } from '../../db/audit/auditLog';
import {
  allAddresses,
  countMissing,
  creditDeposit,
  depositsFrom,
  dropDeposit,
  networkRow,
  oldestMissing,
  recordDeposit,
  recordRead,
  recordReadError,
  reverseDeposit,
  type Token,
} from '../../db/billing/usdc/deposits';
import type { PaymentRow } from '../../db/billing/paymentsTables';
import { withTransaction, type Db, type Tx } from '../../db/core/client';
import { ChainError, type ChainDriver, type TransferChunk } from '../../drivers/chain';

/** A deposit is looked at again until it has this many times the blocks that it needs. */
const WATCHED = 10;
/** Readings in a row without a credited deposit until it is taken back: an RPC may lag behind. */
const MISSING_READS = 20;
/** Micro-dollars: what is less isn't worth a row. Anyone can send any number of such transfers. */
const LEAST_SHOWN = 10_000;
/** Reads of new blocks per network and run; the next run continues. */
const MAX_CHUNKS = 20;
const TURN_MS = 60_000;

interface Parts {
  db: Db;
  chain: ChainDriver;
  networks: readonly UsdcNetwork[];
  log: Logger;
}

/** Reads what teams have sent on every network, and adds what has enough confirmations to their balances. */
export async function watchUsdc(parts: Parts): Promise<void> {
  await Promise.all(
    parts.networks.map(async (network) => {
      const token = { chain_id: network.chain.id, token: network.token };
      try {
        await readNetwork(parts, network, token);
      } catch (err) {
        if (!(err instanceof ChainError)) throw err;
        parts.log.warn({ err, chain: network.chain.slug }, 'USDC deposits could not be read');
        await recordReadError(parts.db, token, err.message);
      }
    }),
  );
}

async function readNetwork(parts: Parts, { confirmations }: UsdcNetwork, token: Token): Promise<void> {
  const { db, chain, log } = parts;
  const contract = { chain_id: token.chain_id, address: token.token };
  const signal = AbortSignal.timeout(TURN_MS);
  const read = async (from: number, recipients: readonly string[]) => {
    try {
      return await chain.readTransfers(contract, { from, recipients, least: LEAST_SHOWN }, signal);
    } catch (error) {
      if (!signal.aborted || error instanceof ChainError) throw error;
      throw new ChainError('unreachable', `It took longer than ${TURN_MS / 1000} seconds to read.`);
    }
  };
  const known = await networkRow(db, token);
  if (!known) {
    const { latest } = await read(0, []);
    await recordRead(db, token, latest + 1);
    return;
  }
  const missing = await oldestMissing(db, token);
  const again = known.next_block - confirmations * WATCHED;
  let from = Math.max(0, Math.min(again, missing ?? again));
  // What is read again doesn't count: a run that never came to new blocks would begin at the same one each time.
  for (let chunk = 0; chunk < MAX_CHUNKS; chunk += from > known.next_block ? 1 : 0) {
    const addresses = new Map((await allAddresses(db)).map(({ address, team_id }) => [address, team_id]));
    const found = await read(from, [...addresses.keys()]);
    if (found.to < from) return;
    for (const address of found.skipped)
      log.error(
        { address, from, to: found.to },
        'USDC deposits to an address were skipped: look for them by hand',
      );
    await settle(parts, { token, from, confirmations, addresses }, found);
    // What was read again for a missing deposit doesn't set the reading back.
    await recordRead(db, token, Math.max(known.next_block, found.to + 1));
    if (found.to >= found.latest) return;
    from = found.to + 1;
  }
}

interface Reading {
  token: Token;
  from: number;
  confirmations: number;
  /** Teams by address. */
  addresses: ReadonlyMap<string, number>;
}

async function settle(
  { db, log }: Parts,
  { token, from, confirmations, addresses }: Reading,
  { latest, to, transfers, skipped }: TransferChunk,
): Promise<void> {
  const before = await depositsFrom(db, token, from);
  const seen = new Set<number>();
  for (const { to: address, value, certain, ...at } of transfers) {
    const team_id = addresses.get(address);
    if (team_id === undefined) continue;
    if (value > BigInt(Number.MAX_SAFE_INTEGER)) {
      log.error({ tx: at.tx_hash, value: String(value) }, 'a USDC deposit is too large to be booked');
      continue;
    }
    const { block_number, block_hash, tx_hash, log_index } = at;
    const place = { block_number, block_hash, tx_hash, log_index };
    const deposit = await recordDeposit(db, { ...token, ...place, team_id, amount_micros: Number(value) });
    seen.add(deposit.id);
    const isDeep = latest - block_number + 1 >= confirmations;
    if (deposit.state === 'pending' && certain && isDeep) await credit(db, deposit.id);
  }
  // Of these nothing is known.
  const unread = new Set(skipped.map((address) => addresses.get(address)));
  for (const { id, state, block_number, team_id } of before) {
    if (seen.has(id) || block_number > to || unread.has(team_id)) continue;
    if (state !== 'credited') await dropDeposit(db, id);
    else if ((await countMissing(db, id)) >= MISSING_READS) {
      log.error({ deposit: id, chain: token.chain_id }, 'the chain has undone a credited USDC deposit');
      await takeBack(db, id);
    }
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
