import type { Logger } from 'pino';
import { chainIdOf } from '../../../console/lib/kms/chains';
import type { Db } from '../../db/core/client';
import {
  appendEvents,
  expectedBlock,
  findIndex,
  recordIndexError,
  recordStart,
  resetIndex,
  rewindIndex,
  syncContractIndexes,
  takeDueIndexes,
  takeForCatchUp,
} from '../../db/kms/contractIndex';
import type { ContractIndexRow } from '../../db/kms/contractIndexTables';
import { ChainError, type ChainDriver } from '../../drivers/chain';

const AGAIN_SECONDS = 30;
/** Contracts read at the same time. */
const LANES = 4;
/** Per run: contracts, and the time in which more are started. The next run continues. */
const MAX_CONTRACTS = 500;
const RUN_MS = 60_000;
/** For a page that waits for the newest events. */
const CATCH_UP_SECONDS = 3;
const CATCH_UP_MS = 5_000;
/** Requests for events per contract and turn; the next turn continues. */
const MAX_CHUNKS = 20;
const TURN_MS = 60_000;
/** Per contract: a hostile one must not fill the database. */
const MAX_EVENTS = 20_000;
/**
 * Blocks undone after a chain reorganization: as many as may have been replaced, because the new ones may have
 * events where none were known. Doubles each time that isn't enough.
 */
const REWIND_BLOCKS = 128;
/** Base's sequencer may take 12 hours to publish its blocks on Ethereum, and development chains are reset at will. */
const LONG_REWIND_BLOCKS = 21_600;
/** Blocks by which an RPC may be behind. With a newest block further back, the chain got shorter. */
const MAX_BEHIND = 128;
/** A single node, so that a missing block always means that the chain was reset. */
const DEVELOPMENT = chainIdOf('local');
/** Ethereum and Sepolia, whose blocks are final after two epochs or a little more. */
const FINAL_SOON: readonly number[] = [1, 11155111];

export interface ContractIndexer {
  db: Db;
  chain: Pick<ChainDriver, 'startBlock' | 'readEvents'>;
  log: Logger;
  /** Events kept per contract. */
  maxEvents?: number;
  /** Milliseconds for one contract per run. */
  turnMs?: number;
  /** Blocks undone at first after a chain reorganization. */
  rewindBlocks?: number;
}

/** Reads the next events of contracts not read for some seconds, while there are any. */
export async function indexDueContracts(indexer: ContractIndexer): Promise<void> {
  const { db, log } = indexer;
  await syncContractIndexes(db);
  const until = Date.now() + RUN_MS;
  let left = MAX_CONTRACTS;
  const lane = async () => {
    while (left > 0 && Date.now() < until) {
      left -= 1;
      const [row] = await takeDueIndexes(db, { seconds: AGAIN_SECONDS, limit: 1 });
      if (!row) return;
      await indexContract(indexer, row).catch((err: unknown) =>
        log.error({ err, contract: row.address }, "couldn't index a contract"),
      );
    }
  };
  await Promise.all(Array.from({ length: LANES }, lane));
}

/**
 * Reads a contract's events since the last read, for a page that is about to show it: an owner who just changed
 * it expects to see that. A contract whose first events are missing is left to the worker, which may need
 * minutes.
 * @param seconds contracts read within this time are skipped
 */
export async function catchUp(
  { db, chain, log }: Pick<ContractIndexer, 'db' | 'chain' | 'log'>,
  contract: Pick<ContractIndexRow, 'chain_id' | 'address'>,
  seconds: number = CATCH_UP_SECONDS,
): Promise<void> {
  const row = await takeForCatchUp(db, { ...contract, seconds });
  if (row) await indexContract({ db, chain, log, turnMs: CATCH_UP_MS }, row);
}

/**
 * Brings one contract's events up to date, or part of the way there. After an unreachable chain it continues
 * from the same block; events removed by a reorganization are undone first.
 */
export async function indexContract(
  { db, chain, log, maxEvents = MAX_EVENTS, turnMs = TURN_MS, rewindBlocks }: ContractIndexer,
  row: ContractIndexRow,
): Promise<void> {
  const signal = AbortSignal.timeout(turnMs);
  try {
    let rewind = rewindBlocks ?? (FINAL_SOON.includes(row.chain_id) ? REWIND_BLOCKS : LONG_REWIND_BLOCKS);
    let span: number | undefined;
    for (let chunk = 0; chunk < MAX_CHUNKS; chunk++) {
      const now = await findIndex(db, row.chain_id, row.address);
      // Its further events are not kept.
      if (!now || now.full_at_block !== null) return;
      if (now.start_block === null) {
        const start = await chain.startBlock(row, signal);
        // Not deployed yet, or no longer.
        if (!start) return void (await recordIndexError(db, row.id, 'There is no contract at this address.'));
        await recordStart(db, row.id, start);
        continue;
      }
      const expected = await expectedBlock(db, now);
      const from = now.indexed_block === null ? now.start_block : now.indexed_block + 1;
      const read = await chain.readEvents(
        row,
        { from, expected, ...(span === undefined ? {} : { span }) },
        signal,
      );
      const isShorter = row.chain_id === DEVELOPMENT || read.latest < (expected?.number ?? from) - MAX_BEHIND;
      // What was read stays. If it was replaced, the block that has its place will show that.
      if (read.outcome === 'behind' && !isShorter) return;
      if (read.outcome !== 'read') {
        const back = Math.min(from - 1, expected?.number ?? from) - rewind;
        log.warn({ contract: row.address, from, back }, 'chain reorganization; rereading its events');
        // Even the deployment may be in another block now.
        await (back < now.start_block ? resetIndex(db, row.id) : rewindIndex(db, row.id, back));
        rewind *= 2;
        continue;
      }
      if (!(await appendEvents(db, now, read, maxEvents))) return;
      if (read.to === null || read.to.number >= read.latest) return;
      // Requesting far more than is answered costs a request for each halving.
      span = 2 * (read.to.number - from + 1);
    }
  } catch (error) {
    if (!(error instanceof ChainError) && !signal.aborted) throw error;
    const message =
      error instanceof ChainError ? error.message : `It took longer than ${turnMs / 1000} seconds to read.`;
    await recordIndexError(db, row.id, message);
  }
}
