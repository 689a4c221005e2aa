import { depositsBetween } from '../../db/billing/usdc/deposits';
import { closeGap, recordLookup, type Lookup } from '../../db/billing/usdc/lookups';
import { clearUnread, halveUnread, nextUnread, recordUnreadTry } from '../../db/billing/usdc/unreadRanges';
import { ChainError } from '../../drivers/chain';
import { miss, readDeposits, readerWithin, settle, type Read, type UsdcReader } from './usdcReading';

/** Time limit for all lookups together, and for ranges that couldn't be read before. */
const LOOKUP_MS = 25_000;
const AGAIN_MS = 30_000;
/** Concurrent lookups. An RPC that never answers costs each its whole time limit. */
const MAX_CONCURRENT = 5;
/** Reads of earlier gaps, and how many of those may fail, because RPCs have rate limits. */
const MAX_READS = 20;
const MAX_FAILURES = 2;
/** Ranges per token beyond which none is halved further. */
const MAX_RANGES = 100;
const MAX_BLIND_RANGES = 20;

/** Looks for single deposits in their blocks. One that can't be read delays no others. */
export async function lookAgain(reader: UsdcReader, lookups: readonly Lookup[]): Promise<void> {
  const read = readerWithin(reader, LOOKUP_MS);
  for (let start = 0; start < lookups.length && !read.isOver(); start += MAX_CONCURRENT) {
    const group = lookups.slice(start, start + MAX_CONCURRENT);
    const answered = await Promise.all(group.map((lookup) => tryLookup(reader, read, lookup)));
    if (!answered.includes(true)) return;
  }
}

/** @returns whether an RPC answered */
async function tryLookup(reader: UsdcReader, read: Read, lookup: Lookup): Promise<boolean> {
  const { db, log, token } = reader;
  // Recorded first, so that an unreadable block isn't the next one again.
  await recordLookup(db, token, lookup);
  try {
    await lookFor(reader, read, lookup);
    return true;
  } catch (err) {
    if (!(err instanceof ChainError)) throw err;
    log.warn({ err, block: lookup.block_number }, "couldn't search a block for USDC deposits");
    return err.kind !== 'unreachable';
  }
}

async function lookFor(reader: UsdcReader, read: Read, lookup: Lookup): Promise<void> {
  const { db, token } = reader;
  const { team_id, address, block_number, deposit_id } = lookup;
  const found = await read({ from: block_number, to: block_number }, [address]);
  const seen = await settle(reader, found, new Map([[address, team_id]]));
  // A single RPC could hide the deposit.
  if (found.to < block_number || !found.complete || found.skipped.length > 0) return;
  if (deposit_id === null) return void (await closeGap(db, token, lookup));
  if (seen.has(deposit_id)) return;
  const there = await depositsBetween(db, token, { from: block_number, to: block_number });
  for (const deposit of there) if (deposit.id === deposit_id) await miss(reader, deposit);
}

/**
 * Rereads ranges that too few RPCs returned. A range that still can't be read is halved, so that part of it can
 * be. @param isHealthy enough RPCs answer, so a failure concerns the range
 */
export async function readUnread(reader: UsdcReader, { isHealthy }: { isHealthy: boolean }): Promise<void> {
  const { db, token } = reader;
  const read = readerWithin(reader, AGAIN_MS);
  const started = new Date();
  let [reads, failures] = [0, 0];
  while (reads < MAX_READS && failures < MAX_FAILURES && !read.isOver()) {
    const range = await nextUnread(db, token, started);
    if (!range) return;
    await recordUnreadTry(db, range);
    const { to_block } = range;
    for (let from = range.from_block; from <= to_block && reads < MAX_READS; reads++) {
      const to = await readWhole(reader, read, { from, to: to_block });
      if (to === null) {
        failures++;
        if (isHealthy && from < to_block) await narrow(reader, read, { from, to: to_block });
        break;
      }
      from = to + 1;
    }
  }
}

/** Finds the readable part of a range: one of its ends may be readable, or only a few blocks may not be. */
async function narrow(reader: UsdcReader, read: Read, { from, to }: { from: number; to: number }) {
  const first = await readWhole(reader, read, { from, to: from });
  const last = await readWhole(reader, read, { from: to, to });
  // Without a readable end, as with deleted history, most halves would fail too.
  const most = first === null && last === null ? MAX_BLIND_RANGES : MAX_RANGES;
  await halveUnread(reader.db, reader.token, { block: Math.min(from + 1, to), most });
}

/** @returns the last block that enough RPCs returned in full; null if not even the first one */
async function readWhole(
  reader: UsdcReader,
  read: Read,
  { from, to }: { from: number; to: number },
): Promise<number | null> {
  const { db, log, token } = reader;
  try {
    const found = await readDeposits(reader, read, { from, to });
    if (!found.complete || found.to < from) return null;
    await clearUnread(db, token, { from, to: found.to });
    return found.to;
  } catch (err) {
    if (!(err instanceof ChainError)) throw err;
    log.warn({ err, from, to }, "couldn't reread blocks for USDC deposits");
    return null;
  }
}
