import { getAddress, parseAbiItem, ResponseBodyTooLargeError, RpcRequestError, type BaseError } from 'viem';
import type { ChainReader } from './reader';
import { ChainError, type TokenTransfer, type TransferChunk, type TransferQuestion } from './index';

const TRANSFER = parseAbiItem('event Transfer(address indexed from, address indexed to, uint256 value)');

/** Blocks per read at first; half as many while an RPC refuses so many. */
const MAX_SPAN = 2_000;
/** Recipients per request: RPCs limit the length of a filter. */
const MAX_RECIPIENTS = 500;
/** Kept of one read. What a block has beyond them is an error, as nothing may be passed over. */
const MAX_TRANSFERS = 5_000;

/** Reads the transfers of a token to some addresses: see `ChainDriver.readTransfers`. */
export async function transfersTo(
  { readTwo }: Pick<ChainReader, 'readTwo'>,
  token: { chain_id: number; address: string },
  { from, recipients }: TransferQuestion,
  signal?: AbortSignal,
): Promise<TransferChunk> {
  for (let span = MAX_SPAN; ; span = Math.floor(span / 2)) {
    const answers = await readTwo(token, signal, async (client, { address, blockNumber }) => {
      const latest = Number(blockNumber);
      const to = Math.min(latest, from + span - 1);
      const read = async (part: readonly string[]): Promise<TokenTransfer[] | null> => {
        try {
          const logs = await client.getLogs({
            address,
            event: TRANSFER,
            args: { to: part.map((one) => getAddress(one)) },
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
          if (isTooMuch && span > 1) return null;
          throw error;
        }
      };
      const transfers: TokenTransfer[] = [];
      if (from <= latest)
        for (let start = 0; start < recipients.length; start += MAX_RECIPIENTS) {
          const found = await read(recipients.slice(start, start + MAX_RECIPIENTS));
          if (!found) return { latest, to, transfers: null };
          transfers.push(...found);
        }
      return { latest, to, transfers };
    });
    const lists = answers.flatMap(({ transfers }) => (transfers ? [transfers] : []));
    const most = Math.max(0, ...lists.map(({ length }) => length));
    if (span > 1 && (lists.length < answers.length || most > MAX_TRANSFERS)) continue;
    if (most > MAX_TRANSFERS)
      throw new ChainError('too_much', `Block ${from} has more transfers to this server than can be read.`);
    return agreed(answers.map((answer) => ({ ...answer, transfers: answer.transfers ?? [] })));
  }
}

interface Answer {
  latest: number;
  to: number;
  transfers: readonly TokenTransfer[];
}

const keyOf = ({ block_hash, tx_hash, log_index, to, value }: TokenTransfer) =>
  [block_hash, tx_hash, log_index, to, value].join(' ');

/** Up to the block that both have reached. What only one of them says is reported, and not taken for certain. */
function agreed(answers: readonly Answer[]): TransferChunk {
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
      .filter(({ block_number }) => block_number <= to)
      .map((transfer) => ({ ...transfer, certain: said.every((one) => one.has(keyOf(transfer))) })),
  };
}
