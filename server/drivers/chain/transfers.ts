import { randomBytes } from 'node:crypto';
import { getAddress, parseAbiItem, type PublicClient } from 'viem';
import type { ChainContract } from '../../domain/kms/chainContract';
import type { At, ChainReader } from './reader';
import { refusalOf } from './refusals';
import type { TokenTransfer, TransferChunk, TransferQuestion } from './index';

const TRANSFER = parseAbiItem('event Transfer(address indexed from, address indexed to, uint256 value)');

/** Initial blocks per read, halved while an RPC refuses them. */
const MAX_SPAN = 2_000;
/** Recipients per request: RPCs limit the length of a filter. */
const MAX_RECIPIENTS = 500;

/** Reads the transfers of a token to some addresses: see `ChainDriver.readTransfers`. */
export async function transfersTo(
  { readTwo, rpcCount }: Pick<ChainReader, 'readTwo' | 'rpcCount'>,
  token: ChainContract,
  { from, to: last = Infinity, recipients, least }: TransferQuestion,
  signal?: AbortSignal,
): Promise<TransferChunk> {
  // If two are configured, one alone is not trusted, even while the other is down.
  const needed = Math.min(2, rpcCount(token.chain_id));
  for (let span = Math.min(MAX_SPAN, last - from + 1); ; span = Math.floor(span / 2)) {
    const answers = await readTwo(token, signal, async (client, { address, blockNumber }) => {
      const latest = Number(blockNumber);
      const to = Math.min(latest, from + span - 1);
      const read: Answer = { latest, to, transfers: [], skipped: [], isComplete: true };
      if (from > latest) return read;
      for (let start = 0; start < recipients.length && read.isComplete; start += MAX_RECIPIENTS) {
        const part = recipients.slice(start, start + MAX_RECIPIENTS);
        const found = await inRange(client, { address, from, to }, part);
        read.isComplete = found !== null;
        read.transfers.push(...(found?.transfers ?? []));
        read.skipped.push(...(found?.skipped ?? []));
      }
      return read;
    });
    if (answers.every(({ isComplete }) => isComplete)) return agreed(answers, { least, needed });
  }
}

interface Answer extends Found {
  latest: number;
  to: number;
  /** Whether the RPC returned all requested blocks. */
  isComplete: boolean;
}

type Range = { from: number; to: number } & Pick<At, 'address'>;

interface Found {
  transfers: TokenTransfer[];
  skipped: string[];
}

/**
 * Null if the RPC refuses this many blocks. For a single block the recipients are halved instead, and a single
 * one is skipped: a block full of transfers to one address delays no others.
 */
async function inRange(
  client: PublicClient,
  range: Range,
  recipients: readonly string[],
): Promise<Found | null> {
  const answer = await logsOf(client, range, recipients);
  if ('transfers' in answer) return { transfers: answer.transfers, skipped: [] };
  if (range.to > range.from) return null;
  const [recipient] = recipients;
  if (recipient !== undefined && recipients.length === 1) return flooded(client, range, recipient);
  const middle = Math.ceil(recipients.length / 2);
  const halves = [recipients.slice(0, middle), recipients.slice(middle)];
  const found: Found = { transfers: [], skipped: [] };
  for (const half of halves) {
    const part = await inRange(client, range, half);
    found.transfers.push(...(part?.transfers ?? []));
    found.skipped.push(...(part?.skipped ?? []));
  }
  return found;
}

/**
 * Decides about a minimal request that an RPC refuses, in any wording. If it answers for another address in the
 * same block, and refuses this one a second time, the address has too many transfers. Otherwise something is
 * wrong with the RPC.
 */
async function flooded(client: PublicClient, block: Range, recipient: string): Promise<Found> {
  const other = await logsOf(client, block, [`0x${randomBytes(20).toString('hex')}`]);
  if ('refused' in other) throw other.refused;
  const again = await logsOf(client, block, [recipient]);
  if ('transfers' in again) return { transfers: again.transfers, skipped: [] };
  if (refusalOf(again.refused) === 'slow') throw again.refused;
  return { transfers: [], skipped: [recipient] };
}

/** @throws if the RPC is busy or can't be reached, so that a smaller request doesn't help */
async function logsOf(
  client: PublicClient,
  { address, from, to }: Range,
  recipients: readonly string[],
): Promise<{ transfers: TokenTransfer[] } | { refused: unknown }> {
  try {
    const logs = await client.getLogs({
      address,
      event: TRANSFER,
      args: { to: recipients.map((one) => getAddress(one)) },
      strict: true,
      fromBlock: BigInt(from),
      toBlock: BigInt(to),
    });
    const transfers = logs.map((log) => ({
      block_number: Number(log.blockNumber),
      block_hash: log.blockHash.toLowerCase(),
      tx_hash: log.transactionHash.toLowerCase(),
      log_index: log.logIndex,
      to: log.args.to.toLowerCase(),
      value: log.args.value,
    }));
    return { transfers };
  } catch (error) {
    const refusal = refusalOf(error);
    if (refusal === null || refusal === 'busy') throw error;
    return { refused: error };
  }
}

const keyOf = ({ block_hash, tx_hash, log_index, to, value }: TokenTransfer) =>
  [block_hash, tx_hash, log_index, to, value].join(' ');

/**
 * Merges answers up to the block that both have reached. Transfers known to only one are reported, but not as
 * certain.
 */
function agreed(
  answers: readonly Answer[],
  { least, needed }: { least: number; needed: number },
): TransferChunk {
  const latest = Math.min(...answers.map((answer) => answer.latest));
  const to = Math.min(...answers.map((answer) => answer.to));
  const said = answers.map(({ transfers }) => new Set(transfers.map(keyOf)));
  // They may know the same transfer in different blocks.
  const all = new Map(
    answers.flatMap(({ transfers }) =>
      transfers.map((one) => [`${one.tx_hash} ${one.log_index}`, one] as const),
    ),
  );
  return {
    latest,
    to,
    complete: said.length >= needed,
    transfers: [...all.values()]
      .filter(({ block_number, value }) => block_number <= to && value >= BigInt(least))
      .map((transfer) => ({
        ...transfer,
        certain: said.length >= needed && said.every((one) => one.has(keyOf(transfer))),
      })),
    skipped: [...new Set(answers.flatMap((answer) => answer.skipped))],
  };
}
