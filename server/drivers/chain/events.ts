import {
  BlockNotFoundError,
  parseAbi,
  ResponseBodyTooLargeError,
  toEventSelector,
  type AbiEvent,
  type Address,
  type BaseError,
  type Hex,
  type PublicClient,
} from 'viem';
import type { BlockMark, ContractEvent, ContractEventKind } from '../../domain/kms/contractEvents';
import { chainText } from './chainText';
import { ChainError, type EventChunk, type EventQuestion } from './index';
import { transportFailure, type At } from './reader';
import { refusalOf } from './refusals';

/** Initial blocks per request. Halved for an RPC that allows fewer, until it answers. */
const MAX_SPAN = 5_000;
/** Events per chunk, as each needs its transaction. One block is never split. */
const MAX_EVENTS = 1_000;
/**
 * Transactions, and blocks, requested concurrently: one batch of each. Public RPCs limit concurrent requests.
 */
const BATCH_SIZE = 50;
/** Characters of a text in an event. */
const MAX_VALUE = 200;

/** In parameter order; the last one is the value. */
const EVENTS: Record<ContractEventKind, readonly AbiEvent[]> = {
  ComposeHashAdded: parseAbi(['event ComposeHashAdded(bytes32 value)']),
  ComposeHashRemoved: parseAbi(['event ComposeHashRemoved(bytes32 value)']),
  DeviceAdded: parseAbi(['event DeviceAdded(bytes32 value)']),
  DeviceRemoved: parseAbi(['event DeviceRemoved(bytes32 value)']),
  AllowAnyDeviceSet: parseAbi(['event AllowAnyDeviceSet(bool value)']),
  RequireTcbUpToDateSet: parseAbi(['event RequireTcbUpToDateSet(bool value)']),
  UpgradesDisabled: parseAbi(['event UpgradesDisabled()']),
  OsImageHashAdded: parseAbi(['event OsImageHashAdded(bytes32 value)']),
  OsImageHashRemoved: parseAbi(['event OsImageHashRemoved(bytes32 value)']),
  KmsDeviceAdded: parseAbi(['event KmsDeviceAdded(bytes32 value)']),
  KmsDeviceRemoved: parseAbi(['event KmsDeviceRemoved(bytes32 value)']),
  KmsAggregatedMrAdded: parseAbi(['event KmsAggregatedMrAdded(bytes32 value)']),
  KmsAggregatedMrRemoved: parseAbi(['event KmsAggregatedMrRemoved(bytes32 value)']),
  KmsInfoSet: parseAbi(['event KmsInfoSet(bytes value)']),
  GatewayAppIdSet: parseAbi(['event GatewayAppIdSet(string value)']),
  AppImplementationSet: parseAbi(['event AppImplementationSet(address value)']),
  OwnershipTransferStarted: parseAbi([
    'event OwnershipTransferStarted(address indexed previous, address indexed value)',
  ]),
  OwnershipTransferred: parseAbi([
    'event OwnershipTransferred(address indexed previous, address indexed value)',
  ]),
  Upgraded: parseAbi(['event Upgraded(address indexed value)']),
};

/** First topics of the events to read. */
export const EVENT_TOPICS: readonly Hex[] = Object.values(EVENTS)
  .flat()
  .map((event) => toEventSelector(event));

/**
 * Finds a contract's deployment block by bisection. `exact` is false if the RPC keeps no state that old, so
 * that earlier events may be missing. Null without a contract.
 */
export async function startBlockOf(
  client: PublicClient,
  { address, blockNumber }: At,
): Promise<{ block: number; exact: boolean } | null> {
  const hasCode = async (block: bigint): Promise<boolean | null> => {
    try {
      return (await client.getCode({ address, blockNumber: block })) !== undefined;
    } catch (error) {
      // Limits on requests say nothing about the block.
      if (transportFailure(error as BaseError) || refusalOf(error) === 'busy') throw error;
      return null;
    }
  };
  if ((await hasCode(blockNumber)) !== true) return null;
  let [without, having, exact] = [-1n, blockNumber, true];
  while (having - without > 1n) {
    const middle = (without + having) / 2n;
    const found = await hasCode(middle);
    if (found === true) having = middle;
    else [without, exact] = [middle, found === false];
  }
  return { block: Number(having), exact };
}

/** Reads events from one block on, as far as one answer reaches. */
export async function eventsFrom(
  client: PublicClient,
  { address, blockNumber }: At,
  { from, expected, span: most = MAX_SPAN }: EventQuestion,
): Promise<EventChunk> {
  const latest = Number(blockNumber);
  const nothing = (outcome: EventChunk['outcome']): EventChunk => ({ outcome, events: [], to: null, latest });
  if (expected) {
    const there = await markAt(client, expected.number);
    if (there?.hash !== expected.hash) return nothing(there ? 'reorganized' : 'behind');
  }
  if (from > latest) return nothing('read');
  for (let span = Math.min(most, MAX_SPAN); ; span = Math.floor(span / 2)) {
    const number = Math.min(latest, from + span - 1);
    const mark = await markAt(client, number);
    const logs = mark && (await logsIn(client, address, from, number, span > 1));
    // The request was too large.
    if (logs === 'fewer') continue;
    if (!mark || !logs) return nothing('behind');
    const events = await withSenders(client, logs);
    if (!events || !(await isSame(client, mark))) return nothing('behind');
    return { outcome: 'read', events, to: mark, latest };
  }
}

type Log = Omit<ContractEvent, 'sender' | 'at'>;

async function logsIn(
  client: PublicClient,
  address: Address,
  from: number,
  to: number,
  divisible: boolean,
): Promise<Log[] | 'fewer'> {
  try {
    const logs = await client.getLogs({
      address,
      events: Object.values(EVENTS).flat(),
      strict: true,
      fromBlock: BigInt(from),
      toBlock: BigInt(to),
    });
    if (logs.length > MAX_EVENTS && divisible) return 'fewer';
    return logs.map((log) => ({
      block_number: Number(log.blockNumber),
      log_index: log.logIndex,
      block_hash: log.blockHash,
      tx_hash: log.transactionHash,
      kind: log.eventName as ContractEventKind,
      value: valueOf(log.args),
    }));
  } catch (error) {
    const refusal = refusalOf(error);
    if (refusal === null || refusal === 'busy') throw error;
    if (divisible) return 'fewer';
    if ((error as BaseError).walk((cause) => cause instanceof ResponseBodyTooLargeError))
      throw new ChainError('too_much', `Block ${from} has more events of this contract than can be read.`);
    throw error;
  }
}

function valueOf(args: unknown): string {
  const named = args as { value?: unknown } | undefined;
  if (named?.value === undefined) return '';
  const text = String(named.value);
  return chainText(text.startsWith('0x') ? text.toLowerCase() : text, MAX_VALUE);
}

/** Null if one of the blocks is gone by now. */
async function withSenders(client: PublicClient, logs: readonly Log[]): Promise<ContractEvent[] | null> {
  const [senders, times] = await Promise.all([
    mapOf(
      logs.map(({ tx_hash }) => tx_hash),
      async (hash) => {
        const { from } = await client.getTransaction({ hash: hash as Hex });
        return from.toLowerCase();
      },
    ),
    mapOf(
      logs.map(({ block_hash }) => block_hash),
      async (hash) => {
        const { timestamp } = await client.getBlock({ blockHash: hash as Hex });
        return new Date(Number(timestamp) * 1000);
      },
    ),
  ]);
  const events = logs.flatMap((log) => {
    const [sender, at] = [senders.get(log.tx_hash), times.get(log.block_hash)];
    return sender && at ? [{ ...log, sender, at }] : [];
  });
  return events.length === logs.length ? events : null;
}

async function mapOf<T>(keys: readonly string[], find: (key: string) => Promise<T>): Promise<Map<string, T>> {
  const left = [...new Set(keys)];
  const found = new Map<string, T>();
  while (left.length > 0) {
    const next = left.splice(0, BATCH_SIZE);
    // After a failure, nothing more is requested.
    const values = await Promise.all(next.map((key) => unlessGone(find(key))));
    for (const [i, key] of next.entries()) {
      const value = values[i];
      if (value !== undefined && value !== null) found.set(key, value);
    }
  }
  return found;
}

async function unlessGone<T>(reading: Promise<T>): Promise<T | null> {
  try {
    return await reading;
  } catch (error) {
    if ((error as Error).name.endsWith('NotFoundError')) return null;
    throw error;
  }
}

const isSame = async (client: PublicClient, { number, hash }: BlockMark): Promise<boolean> =>
  (await markAt(client, number))?.hash === hash;

async function markAt(client: PublicClient, number: number): Promise<BlockMark | null> {
  try {
    const { hash } = await client.getBlock({ blockNumber: BigInt(number) });
    return { number, hash };
  } catch (error) {
    if (error instanceof BlockNotFoundError) return null;
    throw error;
  }
}
