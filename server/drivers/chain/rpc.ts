import {
  ContractFunctionExecutionError,
  createPublicClient,
  getAbiItem,
  HttpRequestError,
  http,
  RpcRequestError,
  TimeoutError,
  type Address,
  type BaseError,
  type Hex,
  type PublicClient,
} from 'viem';
import type { ChainDefinition } from '../../../console/lib/kms/chains';
import type { ContractFacts } from '../../domain/kms/kmsContract';
import { bareHex, bytes32 } from '../../../console/lib/kms/words';
import { ChainError, type AppBoot, type AppQuestion, type AppReading, type ChainDriver } from './index';
import { appAbi, kmsAbi } from './kmsAbi';

const ANSWER_MS = 8_000;
/** With another RPC to try, waiting for a slow one is not worth as much. */
const FALLBACK_ANSWER_MS = 4_000;
/** How long an RPC that failed is tried last. */
const AVOID_MS = 60_000;
/** Maximum entries of one list; a contract that allows more is shown up to here. */
const MOST = 500;

/**
 * Reads through the RPCs of each chain, and batches the requests of each call. All reads of a call use one RPC, so that
 * they see the same block; if it fails, they start again with the next one.
 * @param chains their URLs may contain access keys, so they never appear in messages
 */
export function createChainDriver(chains: readonly ChainDefinition[]): ChainDriver {
  /** When each URL last failed; at most one entry per configured URL. */
  const failures = new Map<string, number>();
  const rpcsOf = ({ name, rpcUrls }: ChainDefinition): ChainRpc[] => {
    const urls = rpcUrls.default.http;
    const avoided = (url: string) => Date.now() - (failures.get(url) ?? -AVOID_MS) < AVOID_MS;
    return [...urls.filter((url) => !avoided(url)), ...urls.filter(avoided)].map((url) => ({ name, url }));
  };
  const clientOf = (url: string, hasFallback: boolean, signal: AbortSignal | undefined) =>
    createPublicClient({
      transport: http(url, {
        batch: { batchSize: 50 },
        timeout: hasFallback ? FALLBACK_ANSWER_MS : ANSWER_MS,
        retryCount: hasFallback ? 0 : 1,
        fetchOptions: { redirect: 'error', ...(signal ? { signal } : {}) },
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
  /** Reads the latest block after checking that the RPC serves the intended chain. */
  const reading = async <T>(
    { chain_id, address }: { chain_id: number; address: string },
    signal: AbortSignal | undefined,
    read: (client: PublicClient, at: At) => Promise<T>,
  ): Promise<T & { block_number: number; block_at: Date }> => {
    const chain = chains.find(({ id }) => id === chain_id);
    if (!chain)
      throw new ChainError('unreachable', `This server has no RPC configured for chain ${chain_id}.`);
    const rpcs = rpcsOf(chain);
    let last: ChainError | undefined;
    for (const rpc of rpcs) {
      const client = clientOf(rpc.url, rpcs.length > 1, signal);
      try {
        await checkChainId(client, chain_id, rpc);
        const block = await client.getBlock({ blockTag: 'latest' });
        const answer = {
          ...(await read(client, { address: address as Address, blockNumber: block.number })),
          block_number: Number(block.number),
          block_at: new Date(Number(block.timestamp) * 1000),
        };
        failures.delete(rpc.url);
        return answer;
      } catch (error) {
        signal?.throwIfAborted();
        failures.set(rpc.url, Date.now());
        last = asChainError(error, rpc);
      }
    }
    throw last ?? new ChainError('unreachable', `This server has no RPC configured for chain ${chain_id}.`);
  };
  return {
    chains,
    readKms: (contract, known, signal) =>
      reading(contract, signal, async (client, at) => ({ facts: await factsOf(client, at, known) })),
    isAppAllowed: (contract, boot, signal) =>
      reading(contract, signal, async (client, at) => {
        const answer = await orAbsent(
          client.readContract({ ...at, abi: kmsAbi, functionName: 'isAppAllowed', args: [bootInfo(boot)] }),
        );
        if (answer === null)
          throw new ChainError('bad_reply', 'The contract does not say whether it allows apps.');
        const [allowed, reason] = answer;
        return { allowed, reason: reason.slice(0, 500) };
      }),
    readApp: (contract, question, signal) =>
      reading(contract, signal, (client, at) => appOf(client, at, question)),
    async checkRpcs(chain_id, signal) {
      const chain = chains.find(({ id }) => id === chain_id);
      const checked = (chain ? rpcsOf(chain) : []).map(async (rpc) => {
        try {
          await checkChainId(clientOf(rpc.url, true, signal), chain_id, rpc);
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

interface ChainRpc {
  /** Name of its chain. */
  name: string;
  url: string;
}

const ZERO: Hex = `0x${'0'.repeat(64)}`;
const hash = (text: string | undefined): Hex => bytes32(text ?? '') ?? ZERO;
const addressOf = (text: string | undefined): Address => `0x${(text ?? '').padStart(40, '0')}`;

const bootInfo = (boot: AppBoot) => ({
  appId: addressOf(boot.app_id),
  composeHash: hash(boot.compose_hash),
  instanceId: addressOf(boot.instance_id),
  deviceId: hash(boot.device_id),
  mrAggregated: hash(boot.mr_aggregated),
  mrSystem: hash(boot.mr_system),
  osImageHash: hash(boot.os_image_hash),
  tcbStatus: boot.tcb_status,
  advisoryIds: [],
});

interface At {
  address: Address;
  blockNumber: bigint;
}

const NOTHING: ContractFacts = {
  code_present: false,
  owner: null,
  pending_owner: null,
  app_implementation: null,
  gateway_app_id: null,
  k256_pubkey: null,
  ca_pubkey: null,
  os_images: [],
  devices: [],
  aggregated_mrs: [],
  app_count: null,
  complete: true,
};

async function factsOf(
  client: PublicClient,
  at: At,
  known: Parameters<ChainDriver['readKms']>[1],
): Promise<ContractFacts> {
  const code = await client.getCode(at);
  if (code === undefined || code === '0x') return NOTHING;
  const get = (functionName: 'owner' | 'pendingOwner' | 'appImplementation' | 'gatewayAppId') =>
    orAbsent(client.readContract({ ...at, abi: kmsAbi, functionName }));
  const [owner, pending_owner, app_implementation, gateway_app_id, info, events] = await Promise.all([
    get('owner'),
    get('pendingOwner'),
    get('appImplementation'),
    get('gatewayAppId'),
    orAbsent(client.readContract({ ...at, abi: kmsAbi, functionName: 'kmsInfo' })),
    eventsOf(client, at),
  ]);
  const allowed = async (
    functionName: 'allowedOsImages' | 'kmsAllowedDeviceIds' | 'kmsAllowedAggregatedMrs',
    candidates: readonly string[],
  ) => {
    const hashes = [...new Set(candidates.flatMap(word))].slice(0, MOST);
    const answers = await Promise.all(
      hashes.map((hash) => orAbsent(client.readContract({ ...at, abi: kmsAbi, functionName, args: [hash] }))),
    );
    return hashes.map((hash, i) => ({ hash, allowed: answers[i] === true }));
  };
  const [images, devices, mrs] = await Promise.all([
    allowed('allowedOsImages', [...known.os_image_hashes, ...(events?.images ?? [])]),
    allowed('kmsAllowedDeviceIds', [...known.device_ids, ...(events?.devices ?? [])]),
    allowed('kmsAllowedAggregatedMrs', events?.mrs ?? []),
  ]);
  return {
    code_present: true,
    owner: lower(owner),
    pending_owner: lower(pending_owner),
    app_implementation: lower(app_implementation),
    gateway_app_id: gateway_app_id?.slice(0, 200) ?? null,
    k256_pubkey: keyOf(info?.[0]),
    ca_pubkey: keyOf(info?.[1]),
    os_images: images.map(({ hash, allowed }) => ({ os_image_hash: hash, allowed })),
    devices: devices.map(({ hash, allowed }) => ({ device_id: hash, allowed })),
    aggregated_mrs: mrs.filter((mr) => mr.allowed).map(({ hash }) => hash),
    app_count: events?.apps ?? null,
    complete: events !== null,
  };
}

type AppFacts = Omit<AppReading, 'block_number' | 'block_at'>;

/** A missing contract or function means that nothing is allowed. */
async function appOf(client: PublicClient, at: At, question: AppQuestion): Promise<AppFacts> {
  const app = { address: addressOf(bareHex(question.app_id)), blockNumber: at.blockNumber };
  const allowed = async (
    functionName: 'allowedComposeHashes' | 'allowedDeviceIds',
    values: readonly string[],
  ) =>
    Promise.all(
      values.map(async (value) => {
        const key = bytes32(value);
        if (key === null) return false;
        return (
          (await orAbsent(client.readContract({ ...app, abi: appAbi, functionName, args: [key] }))) === true
        );
      }),
    );
  const verdict = async (boot: AppBoot) => {
    const answer = await orAbsent(
      client.readContract({ ...at, abi: kmsAbi, functionName: 'isAppAllowed', args: [bootInfo(boot)] }),
    );
    return {
      allowed: answer?.[0] === true,
      reason: answer?.[1].slice(0, 500) ?? 'The KMS contract gave no answer.',
    };
  };
  const registry = client.readContract({
    ...at,
    abi: kmsAbi,
    functionName: 'registeredApps',
    args: [app.address],
  });
  const [code, registered, owner, any, deployer, compose_hashes, device_ids, verdicts] = await Promise.all([
    client.getCode(app),
    orAbsent(registry),
    orAbsent(client.readContract({ ...app, abi: appAbi, functionName: 'owner' })),
    orAbsent(client.readContract({ ...app, abi: appAbi, functionName: 'allowAnyDevice' })),
    deployerOf(client, at, app.address),
    allowed('allowedComposeHashes', question.compose_hashes),
    allowed('allowedDeviceIds', question.device_ids),
    Promise.all(question.boots.map(verdict)),
  ]);
  return {
    code_present: code !== undefined && code !== '0x',
    registered: registered === true,
    owner: lower(owner),
    deployer,
    allow_any_device: any === true,
    compose_hashes,
    device_ids,
    verdicts,
  };
}

async function deployerOf(client: PublicClient, { address, blockNumber }: At, appId: Address) {
  const event = getAbiItem({ abi: kmsAbi, name: 'AppDeployedViaFactory' });
  const query = {
    address,
    event,
    args: { appId },
    strict: true,
    fromBlock: 0n,
    toBlock: blockNumber,
  } as const;
  // As in `eventsOf`: many RPCs don't search this far back.
  const logs = await client.getLogs(query).catch(() => []);
  return lower(logs[0]?.args.deployer ?? null);
}

const lower = (value: string | null) => value?.toLowerCase() ?? null;
const keyOf = (bytes: Hex | undefined) =>
  bytes === undefined || bytes === '0x' ? null : bytes.slice(2, 514).toLowerCase();

/** Formats a hash for the contract's mappings; a value that isn't hex is in none. */
function word(text: string): Hex[] {
  const found = bytes32(text);
  return found === null ? [] : [found];
}

/** Null if the function doesn't exist or fails; an unreachable chain still throws. */
async function orAbsent<T>(reading: Promise<T>): Promise<T | null> {
  try {
    return await reading;
  } catch (error) {
    if (error instanceof ContractFunctionExecutionError && !transportFailure(error)) return null;
    throw error;
  }
}

const EVENTS = ['OsImageHashAdded', 'KmsDeviceAdded', 'KmsAggregatedMrAdded', 'AppRegistered'] as const;

/** Returns everything it ever added, allowed or not; null if the RPC doesn't search that far back. */
async function eventsOf(client: PublicClient, { address, blockNumber }: At) {
  try {
    const logs = await client.getLogs({
      address,
      events: EVENTS.map((name) => getAbiItem({ abi: kmsAbi, name })),
      strict: true,
      fromBlock: 0n,
      toBlock: blockNumber,
    });
    const found = (name: (typeof EVENTS)[number]) =>
      logs.filter((log) => log.eventName === name).map((log) => String(Object.values(log.args)[0]));
    return {
      images: found('OsImageHashAdded'),
      devices: found('KmsDeviceAdded'),
      mrs: found('KmsAggregatedMrAdded'),
      apps: new Set(found('AppRegistered')).size,
    };
  } catch {
    // Many RPCs limit the block range of one request. The other reads show whether this one responds at all.
    return null;
  }
}

const transportFailure = (error: BaseError) =>
  error.walk((cause) => cause instanceof HttpRequestError || cause instanceof TimeoutError) !== null;

function hostOf(url: string): string {
  return URL.canParse(url) ? new URL(url).host : 'its address';
}

/** viem's errors repeat the whole URL, so they are reworded. */
function asChainError(error: unknown, { name, url }: ChainRpc): ChainError {
  if (error instanceof ChainError) return error;
  const of = `The RPC for ${name} (${hostOf(url)})`;
  const walk = (error as Partial<BaseError>).walk?.bind(error);
  const http = walk?.((cause) => cause instanceof HttpRequestError) as HttpRequestError | null | undefined;
  const rpc = walk?.((cause) => cause instanceof RpcRequestError) as RpcRequestError | null | undefined;
  if (http?.status !== undefined)
    return new ChainError('unreachable', `${of} returned status ${http.status}.`);
  if (rpc) return new ChainError('bad_reply', `${of} refused the request: ${rpc.details.slice(0, 200)}`);
  if (http || walk?.((cause) => cause instanceof TimeoutError))
    return new ChainError('unreachable', `${of} isn't responding.`);
  return new ChainError('bad_reply', `${of} returned an invalid response.`);
}
