import {
  getAddress,
  parseAbiItem,
  ResponseBodyTooLargeError,
  RpcRequestError,
  type BaseError,
  type PublicClient,
} from 'viem';
import type { At, ChainReader } from './reader';
import type { TokenTransfer, TransferChunk, TransferQuestion } from './index';

const TRANSFER = parseAbiItem('event Transfer(address indexed from, address indexed to, uint256 value)');

/** Blocks per read at first; half as many while an RPC refuses so many. */
const MAX_SPAN = 2_000;
/** Recipients per request: RPCs limit the length of a filter. */
const MAX_RECIPIENTS = 500;

/** Reads the transfers of a token to some addresses: see `ChainDriver.readTransfers`. */
export async function transfersTo(
  { readTwo, rpcCount }: Pick<ChainReader, 'readTwo' | 'rpcCount'>,
  token: { chain_id: number; address: string },
  { from, recipients, least }: TransferQuestion,
  signal?: AbortSignal,
): Promise<TransferChunk> {
  // Where two are configured, one alone is not believed, also while the other is down.
  const needed = Math.min(2, rpcCount(token.chain_id));
  for (let span = MAX_SPAN; ; span = Math.floor(span / 2)) {
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

/** Whether an RPC says that it found too much, and not that it is busy or broken. */
const saysTooMany = (error: unknown): boolean =>
  (error as BaseError).walk((cause) => cause instanceof ResponseBodyTooLargeError) !== null ||
  /too many (results|logs)|more than|too large|exceeds? (the )?(max|limit)/i.test(
    (error as Partial<BaseError>).details ?? '',
  );

interface Answer extends Found {
  latest: number;
  to: number;
  /** Whether the RPC returned so many blocks. */
  isComplete: boolean;
}

type Range = { from: number; to: number } & Pick<At, 'address'>;

interface Found {
  transfers: TokenTransfer[];
  skipped: string[];
}

/**
 * Null if the RPC refuses so many blocks. Of a single block the recipients are halved instead, and one alone is skipped:
 * a block full of transfers to one address keeps no others waiting.
 */
async function inRange(
  client: PublicClient,
  range: Range,
  recipients: readonly string[],
): Promise<Found | null> {
  const transfers = await logsOf(client, range, recipients);
  if (transfers) return { transfers, skipped: [] };
  if (range.to > range.from) return null;
  if (recipients.length === 1) return { transfers: [], skipped: [...recipients] };
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

async function logsOf(
  client: PublicClient,
  { address, from, to }: Range,
  recipients: readonly string[],
): Promise<TokenTransfer[] | null> {
  try {
    const logs = await client.getLogs({
      address,
      event: TRANSFER,
      args: { to: recipients.map((one) => getAddress(one)) },
      strict: true,
      fromBlock: BigInt(from),
      toBlock: BigInt(to),
    });
    return logs.map((log) => ({
      block_number: Number(log.blockNumber),
      block_hash: log.blockHash.toLowerCase(),
      tx_hash: log.transactionHash.toLowerCase(),
      log_index: log.logIndex,
      to: log.args.to.toLowerCase(),
      value: log.args.value,
    }));
  } catch (error) {
    const walk = (error as Partial<BaseError>).walk?.bind(error);
    const isTooMuch = walk?.(
      (cause) => cause instanceof ResponseBodyTooLargeError || cause instanceof RpcRequestError,
    );
    if (isTooMuch && (to > from || recipients.length > 1 || saysTooMany(error))) return null;
    throw error;
  }
}

const keyOf = ({ block_hash, tx_hash, log_index, to, value }: TokenTransfer) =>
  [block_hash, tx_hash, log_index, to, value].join(' ');

/** Up to the block that both have reached. What only one of them says is reported, and not taken for certain. */
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
    transfers: [...all.values()]
      .filter(({ block_number, value }) => block_number <= to && value >= BigInt(least))
      .map((transfer) => ({
        ...transfer,
        certain: said.length >= needed && said.every((one) => one.has(keyOf(transfer))),
      })),
    skipped: [...new Set(answers.flatMap((answer) => answer.skipped))],
  };
}
