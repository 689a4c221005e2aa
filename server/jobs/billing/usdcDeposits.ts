import type { Logger } from 'pino';
import type { UsdcNetwork } from '../../domain/billing/usdc/network';
import { allAddresses, networkRow, recordRead, recordTry } from '../../db/billing/usdc/deposits';
import { depositLookups, gapLookups } from '../../db/billing/usdc/lookups';
import { addUnread, clearUnread, unreadableFrom } from '../../db/billing/usdc/unreadRanges';
import type { Db } from '../../db/core/client';
import { ChainError, type ChainDriver } from '../../drivers/chain';
import { lookAgain, readUnread } from './usdcLookups';
import { readDeposits, readerWithin, type Read, type UsdcReader } from './usdcReading';

/** A deposit is rechecked until it has this many times the required confirmations. */
const WATCHED = 10;
/** Reads of new blocks per network and run; the next run continues. */
const MAX_CHUNKS = 20;
/** Blocks per read. */
const MAX_BLOCKS = 2_000;
/** Lookups of each kind per network and run. */
const MAX_LOOKUPS = 20;
const TURN_MS = 60_000;

interface Parts {
  db: Db;
  chain: ChainDriver;
  networks: readonly UsdcNetwork[];
  log: Logger;
}

/** Reads team deposits on every network, and credits those with enough confirmations. */
export async function watchUsdc({ networks, ...parts }: Parts): Promise<void> {
  await Promise.all(
    networks.map(({ chain: { id }, token, confirmations }) =>
      readNetwork({ ...parts, token: { chain_id: id, address: token }, confirmations }),
    ),
  );
}

/**
 * Rechecks known deposits first, then reads new blocks, then earlier gaps, so that nothing waits for blocks
 * that can't be read.
 */
async function readNetwork(reader: UsdcReader): Promise<void> {
  const { db, token, confirmations } = reader;
  const known = await networkRow(db, token);
  const again = Math.max(0, (known?.next_block ?? 0) - confirmations * WATCHED);
  if (known) await lookAgain(reader, await depositLookups(db, token, { before: again, limit: MAX_LOOKUPS }));
  const isHealthy = await readToNewest(reader, known ? { again, next_block: known.next_block } : null);
  if (isHealthy === null || !known) return;
  await readUnread(reader, { isHealthy });
  await lookAgain(reader, await gapLookups(db, token, MAX_LOOKUPS));
}

interface Known {
  /** First block that is read again. */
  again: number;
  next_block: number;
}

/** @returns whether the required number of RPCs returned the newest block; null if it was not reached */
async function readToNewest(reader: UsdcReader, known: Known | null): Promise<boolean | null> {
  const { db, log, token } = reader;
  const read = readerWithin(reader, TURN_MS);
  try {
    if (!known) {
      const { latest } = await read({ from: 0 }, []);
      await recordRead(db, token, latest + 1);
      return true;
    }
    const { behind, isComplete } = await readNew(reader, read, known);
    await recordTry(db, token, behind > 0 ? `${behind} blocks are still unread.` : null);
    return behind > 0 ? null : isComplete;
  } catch (err) {
    if (!(err instanceof ChainError)) throw err;
    log.warn({ err, chain: token.chain_id }, "couldn't read USDC deposits");
    await recordTry(db, token, err.message);
    return null;
  }
}

/** Reads up to the newest block within the limits of one run, skipping what can't be read. */
async function readNew(
  reader: UsdcReader,
  read: Read & { isOver: () => boolean },
  { again, next_block }: Known,
): Promise<{ behind: number; isComplete: boolean }> {
  const { db, log, token } = reader;
  const unreadable = (await unreadableFrom(db, token, again)).map(({ from_block, to_block }) => ({
    from: from_block,
    to: to_block,
  }));
  let [from, size, failures] = [again, MAX_BLOCKS, 0];
  let isComplete = true;
  let newest: number | null = null;
  // Rereads don't count: a run that never reached new blocks would start at the same one each time.
  for (let chunk = 0; chunk < MAX_CHUNKS; chunk += from > next_block ? 1 : 0) {
    for (const range of unreadable) if (range.from <= from && range.to >= from) from = range.to + 1;
    const next = Math.min(...unreadable.map((range) => range.from).filter((start) => start > from));
    const to = Math.min(from + size - 1, next - 1);
    try {
      const found = await readDeposits(reader, read, { from, to });
      newest = found.latest;
      if (found.to < from) return { behind: 0, isComplete };
      const range = { from, to: found.to };
      if (found.complete) await clearUnread(db, token, range);
      else await addUnread(db, token, { ...range, readers: 1, error: null });
      ({ complete: isComplete } = found);
      await recordRead(db, token, Math.max(next_block, found.to + 1));
      if (found.to >= found.latest) return { behind: 0, isComplete };
      [from, size, failures] = [found.to + 1, Math.min(MAX_BLOCKS, size * 2), 0];
    } catch (err) {
      if (!(err instanceof ChainError) || read.isOver()) throw err;
      newest ??= await newestReadable(reader, read, err);
      if (newest <= from) throw err;
      const blocks = Math.min(to, newest) - from + 1;
      if (blocks > 1) {
        size = Math.floor(blocks / 2);
        continue;
      }
      // Doubles each time, so the rest of a long range that no RPC has isn't tried block by block.
      const range = { from, to: Math.min(from + 2 ** failures - 1, newest - 1, next - 1) };
      log.error({ err, ...range }, "couldn't read blocks for USDC deposits");
      await addUnread(db, token, { ...range, readers: 0, error: err.message });
      await recordRead(db, token, Math.max(next_block, range.to + 1));
      [from, failures] = [range.to + 1, failures + 1];
    }
  }
  return { behind: Math.max(0, (newest ?? from) - from + 1), isComplete };
}

/**
 * Returns the newest block if it can be read, in which case the failure concerns other blocks. @throws
 * {ChainError} that failure
 */
async function newestReadable({ db }: UsdcReader, read: Read, failure: ChainError): Promise<number> {
  const recipients = (await allAddresses(db)).map(({ address }) => address);
  try {
    const { latest } = await read({ from: Number.MAX_SAFE_INTEGER }, []);
    const found = await read({ from: latest, to: latest }, recipients);
    if (found.to >= latest) return latest;
  } catch (err) {
    if (!(err instanceof ChainError)) throw err;
  }
  throw failure;
}
