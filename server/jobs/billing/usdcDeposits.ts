import type { Logger } from 'pino';
import { formatMicros } from '../../../console/lib/billing/money';
import type { UsdcNetwork } from '../../domain/billing/usdc/network';
import type { ChainContract } from '../../domain/kms/chainContract';
import { appendAudit } from '../../db/audit/auditLog';
import {
  allAddresses,
  countMissing,
  creditDeposit,
  depositsBetween,
  dropDeposit,
  networkRow,
  recordDeposit,
  recordRead,
  recordReadError,
  reverseDeposit,
} from '../../db/billing/usdc/deposits';
import type { UsdcDepositRow } from '../../db/billing/usdc/depositsTables';
import { closeGap, lookups, recordGap, recordLookup, type Lookup } from '../../db/billing/usdc/lookups';
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
/** Lookups of one team each per network and run. */
const MAX_LOOKUPS = 20;
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
      const token = { chain_id: network.chain.id, address: network.token };
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

/** Reads from a block on, on behalf of the owners of these addresses. */
type Read = (from: number, recipients: readonly string[]) => Promise<TransferChunk>;

async function readNetwork(
  parts: Parts,
  { confirmations }: UsdcNetwork,
  token: ChainContract,
): Promise<void> {
  const { db, chain } = parts;
  const signal = AbortSignal.timeout(TURN_MS);
  const read: Read = async (from, recipients) => {
    try {
      return await chain.readTransfers(token, { from, recipients, least: LEAST_SHOWN }, signal);
    } catch (error) {
      if (!signal.aborted || error instanceof ChainError) throw error;
      throw new ChainError('unreachable', `It took longer than ${TURN_MS / 1000} seconds to read.`);
    }
  };
  const known = await networkRow(db, token);
  if (!known) {
    const { latest } = await read(0, []);
    await recordRead(db, token, { next_block: latest + 1, sure_block: latest + 1 });
    return;
  }
  const again = Math.max(0, known.next_block - confirmations * WATCHED);
  const reading = { token, confirmations };
  let [from, sure] = [again, known.sure_block];
  // What is read again doesn't count: a run that never came to new blocks would begin at the same one each time.
  for (let chunk = 0; chunk < MAX_CHUNKS; chunk += from > known.next_block ? 1 : 0) {
    const found = await readFrom(parts, reading, read, from);
    if (found.to < from) break;
    if (found.complete && from <= sure) sure = Math.max(sure, found.to + 1);
    const next_block = Math.max(known.next_block, found.to + 1);
    await recordRead(db, token, { next_block, sure_block: sure });
    if (found.to >= found.latest) break;
    from = found.to + 1;
  }
  // What one RPC alone was read for, now that the other is back.
  for (let chunk = 0; chunk < MAX_CHUNKS && sure < again; chunk++) {
    const found = await readFrom(parts, reading, read, sure);
    if (!found.complete || found.to < sure) break;
    sure = found.to + 1;
    await recordRead(db, token, { next_block: Math.max(known.next_block, sure), sure_block: sure });
  }
  await lookAgain(parts, reading, read, again);
}

interface Reading {
  token: ChainContract;
  confirmations: number;
}

/** Reads the deposits of all teams from a block on. */
async function readFrom(parts: Parts, reading: Reading, read: Read, from: number): Promise<TransferChunk> {
  const { db, log } = parts;
  const { token } = reading;
  const teams = new Map((await allAddresses(db)).map(({ address, team_id }) => [address, team_id]));
  const found = await read(from, [...teams.keys()]);
  if (found.to < from) return found;
  // Of these nothing is known.
  const unread = new Set<number>();
  for (const address of found.skipped) {
    const team_id = teams.get(address);
    if (team_id === undefined) continue;
    unread.add(team_id);
    log.error({ address, block: from }, 'USDC deposits to an address were skipped: a block has too many');
    await recordGap(db, token, { team_id, block_number: from });
  }
  const before = await depositsBetween(db, token, { from, to: found.to });
  const seen = await settle(parts, reading, found, teams);
  // One RPC alone could hide them.
  if (!found.complete) return found;
  for (const deposit of before)
    if (!seen.has(deposit.id) && !unread.has(deposit.team_id)) await miss(parts, deposit);
  return found;
}

/** Looks for what those readings didn't find, one team at a time. */
async function lookAgain(parts: Parts, reading: Reading, read: Read, before: number): Promise<void> {
  const { db, log } = parts;
  const { token } = reading;
  for (const lookup of await lookups(db, token, { before, limit: MAX_LOOKUPS })) {
    // First, so that one that can't be read keeps no others waiting.
    await recordLookup(db, token, lookup);
    try {
      await lookFor(parts, reading, read, lookup);
    } catch (err) {
      if (!(err instanceof ChainError)) throw err;
      log.warn({ err, block: lookup.block_number }, 'a block could not be searched for USDC deposits');
      if (err.kind === 'unreachable') return;
    }
  }
}

async function lookFor(parts: Parts, reading: Reading, read: Read, lookup: Lookup): Promise<void> {
  const { db } = parts;
  const { token } = reading;
  const { team_id, address, block_number, deposit_id } = lookup;
  const found = await read(block_number, [address]);
  const seen = await settle(parts, reading, found, new Map([[address, team_id]]));
  // One RPC alone could hide it.
  if (found.to < block_number || !found.complete || found.skipped.length > 0) return;
  if (deposit_id === null) return void (await closeGap(db, token, lookup));
  if (seen.has(deposit_id)) return;
  const there = await depositsBetween(db, token, { from: block_number, to: block_number });
  for (const deposit of there) if (deposit.id === deposit_id) await miss(parts, deposit);
}

/** Records what was found, and adds what has enough confirmations. @returns the deposits */
async function settle(
  { db, log }: Parts,
  { token, confirmations }: Reading,
  { latest, transfers }: TransferChunk,
  teams: ReadonlyMap<string, number>,
): Promise<ReadonlySet<number>> {
  const seen = new Set<number>();
  for (const { to: address, value, certain, ...place } of transfers) {
    const team_id = teams.get(address);
    if (team_id === undefined) continue;
    if (value > BigInt(Number.MAX_SAFE_INTEGER)) {
      log.error({ tx: place.tx_hash, value: String(value) }, 'a USDC deposit is too large to be booked');
      continue;
    }
    const deposit = await recordDeposit(db, token, { ...place, team_id, amount_micros: Number(value) });
    seen.add(deposit.id);
    const isDeep = latest - place.block_number + 1 >= confirmations;
    if (deposit.state === 'pending' && certain && isDeep) await credit(db, deposit.id);
  }
  return seen;
}

/** A deposit that a reading of its block didn't find. */
async function miss({ db, log }: Parts, { id, state, chain_id }: UsdcDepositRow): Promise<void> {
  if (state !== 'credited') await dropDeposit(db, id);
  else if ((await countMissing(db, id)) >= MISSING_READS) {
    log.error({ deposit: id, chain: chain_id }, 'the chain has undone a credited USDC deposit');
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
