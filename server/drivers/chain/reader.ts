import {
  CallExecutionError,
  ContractFunctionExecutionError,
  createPublicClient,
  HttpRequestError,
  http,
  ResponseBodyTooLargeError,
  RpcRequestError,
  TimeoutError,
  type Address,
  type BaseError,
  type PublicClient,
} from 'viem';
import type { ChainDefinition, ChainName } from '../../../console/lib/kms/chains';
import type { ChainContract } from '../../domain/kms/chainContract';
import { chainText } from './chainText';
import { MAX_AGE_MINUTES } from './freshness';
import { ChainError, type ChainDriver } from './index';
import { isRevert, refusalOf } from './refusals';

const ANSWER_MS = 8_000;
/** With another RPC to try, waiting for a slow one pays off less. */
const FALLBACK_ANSWER_MS = 4_000;
/** How long a failed RPC is tried last. */
const AVOID_MS = 60_000;
/**
 * Reads through each chain's RPCs, and batches the requests of each call. All reads of a call use one RPC, so
 * that they see the same block; if it fails, they start over with the next one.
 * @param chains their URLs may contain access keys, so they never appear in messages
 */
export function createChainReader(chains: readonly ChainDefinition[]): ChainReader {
  /** When each URL last failed; at most one entry per configured URL. */
  const failures = new Map<string, number>();
  const rpcsOf = ({ name, slug, rpcUrls }: ChainDefinition): ChainRpc[] => {
    const urls = rpcUrls.default.http;
    const avoided = (url: string) => Date.now() - (failures.get(url) ?? -AVOID_MS) < AVOID_MS;
    return [...urls.filter((url) => !avoided(url)), ...urls.filter(avoided)].map((url) => ({
      name,
      slug,
      url,
    }));
  };
  const clientOf = (url: string, hasFallback: boolean, signal: AbortSignal | undefined) =>
    createPublicClient({
      // A contract must not send this server to an address of its choice (EIP-3668).
      ccipRead: false,
      transport: http(url, {
        batch: { batchSize: 50 },
        // viem's own limit ends with the headers, and is dropped for requests with a signal.
        timeout: 0,
        retryCount: hasFallback ? 0 : 1,
        fetchFn: fetchWithin(hasFallback ? FALLBACK_ANSWER_MS : ANSWER_MS, signal),
        fetchOptions: { redirect: 'error' },
      }),
    });
  /** @throws {ChainError} if an RPC serves another chain than the intended one */
  const checkChainId = async (client: PublicClient, chain_id: number, { name, url }: ChainRpc) => {
    const said = await client.getChainId();
    if (said !== chain_id)
      throw new ChainError(
        'wrong_chain',
        `The RPC for ${name} (${hostOf(url)}) serves chain ${said}, not ${chain_id}.`,
      );
  };
  /** @throws {ChainError} if it is too old to be the network's newest block */
  const newestBlock = async (client: PublicClient, { name, slug, url }: ChainRpc) => {
    const { number, timestamp } = await client.getBlock({ blockTag: 'latest' });
    const block_number = Number(number);
    const block_at = new Date(Number(timestamp) * 1000);
    if (!Number.isSafeInteger(block_number) || Number.isNaN(block_at.getTime()))
      throw new RangeError('The newest block has an invalid number or time.');
    const minutes = MAX_AGE_MINUTES[slug];
    if (Date.now() - block_at.getTime() > minutes * 60_000)
      throw new ChainError(
        'unreachable',
        `The RPC for ${name} (${hostOf(url)}) is behind: its newest block is more than ${minutes} minutes old. ` +
          "Check whether it is syncing and this server's clock is right.",
      );
    return { blockNumber: number, block_number, block_at };
  };
  /** Reads one RPC's latest block after checking that it serves the intended chain. @throws {ChainError} */
  const readOne = async <T>(
    rpc: ChainRpc,
    { chain_id, address }: ChainContract,
    { signal, hasFallback }: { signal: AbortSignal | undefined; hasFallback: boolean },
    work: (client: PublicClient, at: At) => Promise<T>,
  ): Promise<T & { block_number: number; block_at: Date }> => {
    const client = clientOf(rpc.url, hasFallback, signal);
    try {
      await checkChainId(client, chain_id, rpc);
      const { blockNumber, ...newest } = await newestBlock(client, rpc);
      const answer = { ...(await work(client, { address: address as Address, blockNumber })), ...newest };
      failures.delete(rpc.url);
      return answer;
    } catch (error) {
      signal?.throwIfAborted();
      failures.set(rpc.url, Date.now());
      throw asChainError(error, rpc);
    }
  };
  const configured = (chain_id: number): ChainRpc[] => {
    const chain = chains.find(({ id }) => id === chain_id);
    if (!chain)
      throw new ChainError('unreachable', `This server has no RPC configured for chain ${chain_id}.`);
    return rpcsOf(chain);
  };
  const read: ChainReader['read'] = async (contract, signal, work) => {
    const rpcs = configured(contract.chain_id);
    let last: unknown;
    for (const rpc of rpcs) {
      try {
        return await readOne(rpc, contract, { signal, hasFallback: rpcs.length > 1 }, work);
      } catch (error) {
        signal?.throwIfAborted();
        last = error;
      }
    }
    throw last;
  };
  const readTwo: ChainReader['readTwo'] = async (contract, signal, work) => {
    const [first, ...others] = configured(contract.chain_id);
    const second = others[0];
    if (!first || !second) return [await read(contract, signal, work)];
    const asked = await Promise.allSettled(
      [first, second].map((rpc) => readOne(rpc, contract, { signal, hasFallback: true }, work)),
    );
    const answers = asked.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
    // If one of them is down, the other decides; if both are, any further ones.
    return answers.length > 0 ? answers : [await read(contract, signal, work)];
  };
  return {
    read,
    readTwo,
    rpcCount: (chain_id) => configured(chain_id).length,
    async checkRpcs(chain_id, signal) {
      const chain = chains.find(({ id }) => id === chain_id);
      const checked = (chain ? rpcsOf(chain) : []).map(async (rpc) => {
        try {
          const client = clientOf(rpc.url, true, signal);
          await checkChainId(client, chain_id, rpc);
          await newestBlock(client, rpc);
          return null;
        } catch (error) {
          signal?.throwIfAborted();
          return asChainError(error, rpc);
        }
      });
      const errors = await Promise.all(checked);
      return {
        usable: errors.some((error) => error === null),
        errors: errors.filter((error) => error !== null),
      };
    },
  };
}

/**
 * Fetches whole responses within a time in milliseconds. Keeps only the status of a failure: viem would treat a
 * single error that answers a whole batch as a list of results.
 */
const fetchWithin =
  (ms: number, signal: AbortSignal | undefined): typeof fetch =>
  async (input, init) => {
    const limit = AbortSignal.timeout(ms);
    const response = await fetch(input, {
      ...init,
      signal: signal ? AbortSignal.any([signal, limit]) : limit,
    });
    if (response.ok) return response;
    await response.body?.cancel();
    return new Response(null, { status: response.status, statusText: response.statusText });
  };

interface ChainRpc {
  /** Names of its chain. */
  name: string;
  slug: ChainName;
  url: string;
}

export interface At {
  address: Address;
  blockNumber: bigint;
}

export interface ChainReader extends Pick<ChainDriver, 'checkRpcs'> {
  /** Number of a chain's RPCs. @throws {ChainError} without any */
  rpcCount(chain_id: number): number;
  /** Runs `work` at the latest block of the contract's chain. @throws {ChainError} */
  read<T>(
    contract: ChainContract,
    signal: AbortSignal | undefined,
    work: (client: PublicClient, at: At) => Promise<T>,
  ): Promise<T & { block_number: number; block_at: Date }>;
  /** The same with the chain's first two RPCs, if it has two. Returns the answers, at least one. */
  readTwo<T>(
    contract: ChainContract,
    signal: AbortSignal | undefined,
    work: (client: PublicClient, at: At) => Promise<T>,
  ): Promise<(T & { block_number: number; block_at: Date })[]>;
}

/** Returns null if the function doesn't exist or fails. If the RPC fails instead, this still throws. */
export async function orAbsent<T>(reading: Promise<T>): Promise<T | null> {
  const answer = await orFailure(reading);
  return 'value' in answer ? answer.value : null;
}

/** The same, with the error. */
export async function orFailure<T>(
  reading: Promise<T>,
): Promise<{ value: T } | { failure: ContractFunctionExecutionError }> {
  try {
    return { value: await reading };
  } catch (error) {
    if (error instanceof ContractFunctionExecutionError && isContracts(error)) return { failure: error };
    throw error;
  }
}

/**
 * Whether a failed call is the contract's doing: it reverted, or its answer has another form. Any other error of an
 * RPC, such as a block that one of its nodes doesn't know yet, says nothing about the contract.
 */
function isContracts(error: BaseError): boolean {
  const rpc = error.walk((cause) => cause instanceof RpcRequestError) as RpcRequestError | null;
  if (rpc) return isRevert(rpc);
  const unanswered = (cause: unknown) =>
    cause instanceof CallExecutionError || (cause as Error | null)?.name === 'AbortError';
  return error.walk(unanswered) === null;
}

export const transportFailure = (error: BaseError): boolean =>
  error.walk((cause) => cause instanceof HttpRequestError || cause instanceof TimeoutError) !== null;

export function hostOf(url: string): string {
  return URL.canParse(url) ? new URL(url).host : 'its address';
}

/** viem's errors repeat the whole URL, so they are reworded. */
function asChainError(error: unknown, { name, url }: ChainRpc): ChainError {
  if (error instanceof ChainError) return error;
  const of = `The RPC for ${name} (${hostOf(url)})`;
  const walk = (error as Partial<BaseError>).walk?.bind(error);
  const http = walk?.((cause) => cause instanceof HttpRequestError) as HttpRequestError | null | undefined;
  const rpc = walk?.((cause) => cause instanceof RpcRequestError) as RpcRequestError | null | undefined;
  if (walk?.((cause) => cause instanceof ResponseBodyTooLargeError))
    return new ChainError('too_much', `${of} returned more than can be read at a time.`);
  if (refusalOf(error) === 'busy')
    return new ChainError(
      'unreachable',
      `${of} is limiting requests: it was sent too many, or is overloaded.`,
    );
  if (http?.status !== undefined)
    return new ChainError('unreachable', `${of} returned status ${http.status}.`);
  // For example a provider's web page in place of its JSON.
  if (http?.walk((cause) => cause instanceof SyntaxError))
    return new ChainError('bad_reply', `${of} returned an invalid response.`);
  if (rpc) return new ChainError('bad_reply', `${of} refused the request: ${chainText(rpc.details, 200)}`);
  if (http || walk?.((cause) => cause instanceof TimeoutError))
    return new ChainError('unreachable', `${of} isn't responding.`);
  return new ChainError('bad_reply', `${of} returned an invalid response.`);
}
