import { setTimeout as wait } from 'node:timers/promises';
import {
  getAbiItem,
  parseAbi,
  TransactionNotFoundError,
  TransactionReceiptNotFoundError,
  type Hex,
  type PublicClient,
} from 'viem';
import { networkName, type ChainDefinition } from '../../../console/lib/kms/chains';
import type { ChainContract } from '../../domain/kms/chainContract';
import type { ContractFacts } from '../../domain/kms/kmsContract';
import { bytes32 } from '../../../console/lib/kms/hex';
import { createAnnouncements } from './announcements';
import { appOf } from './appReading';
import { bootInfo, gatewayOf, lower, reasonOf } from './chainValues';
import { appsAllowing, appsIn } from './deployments';
import { eventsFrom, startBlockOf } from './events';
import { feeOf } from './fees';
import { ChainError, type AppBoot, type ChainDriver, type TransactionOutcome } from './index';
import { kmsAbi } from './kmsAbi';
import { createChainReader, orAbsent, type At } from './reader';
import { refusalReason } from './reverts';
import { transfersTo } from './transfers';

/** Maximum entries of one list; a contract that allows more is shown up to here. */
const MAX_HASHES = 500;

/** Number and interval of retries when one of two RPCs doesn't know a transaction yet. */
const BEHIND_TRIES = 4;
const BEHIND_MS = 1000;

/** EIP-1271. */
const SIGNER = parseAbi(['function isValidSignature(bytes32 hash, bytes signature) view returns (bytes4)']);
const ACCEPTED = '0x1626ba7e';

/** @param chains their URLs may contain access keys */
export function createChainDriver(chains: readonly ChainDefinition[]): ChainDriver {
  const { read, readTwo, rpcCount, checkRpcs } = createChainReader(chains);
  /** As `readTwo`, but a third RPC stands in for one that failed, which is asked last now. */
  const readTwoOfMore: typeof readTwo = async (contract, signal, work) => {
    const answers = await readTwo(contract, signal, work);
    return answers.length < 2 && rpcCount(contract.chain_id) > 2 ? readTwo(contract, signal, work) : answers;
  };
  /** @throws {ChainError} if two RPCs are configured, and only one of them confirms something */
  const requireTwo = ({ chain_id }: ChainContract, answers: readonly unknown[], confirmed: string): void => {
    if (answers.length >= Math.min(2, rpcCount(chain_id))) return;
    throw new ChainError(
      'unreachable',
      `Only one RPC for ${networkName(chain_id)} responded. Two must confirm ${confirmed}: try again in a minute.`,
    );
  };
  return {
    ...createAnnouncements(chains),
    chains,
    readTransfers: (token, question, signal) => transfersTo({ readTwo, rpcCount }, token, question, signal),
    readKms: (contract, known, signal) =>
      read(contract, signal, async (client, at) => ({ facts: await factsOf(client, at, known) })),
    async acceptsSignature(contract, { hash, signature }, signal) {
      const answers = await readTwoOfMore(contract, signal, async (client, at) => {
        const args = [hash as Hex, signature as Hex] as const;
        const call = client.readContract({ ...at, abi: SIGNER, functionName: 'isValidSignature', args });
        return { accepted: (await orAbsent(call)) === ACCEPTED };
      });
      if (!answers.every(({ accepted }) => accepted)) return false;
      requireTwo(contract, answers, 'the signature');
      return true;
    },
    readKmsLists: (contract, { os_image_hashes, device_ids }, signal) =>
      read(contract, signal, async (client, at) => {
        const allowed = async (
          functionName: 'allowedOsImages' | 'kmsAllowedDeviceIds',
          values: readonly string[],
        ) =>
          Promise.all(
            values.map(async (value) => {
              const [key] = word(value);
              if (key === undefined) return false;
              const answer = client.readContract({ ...at, abi: kmsAbi, functionName, args: [key] });
              return (await orAbsent(answer)) === true;
            }),
          );
        const [os_images, devices] = await Promise.all([
          allowed('allowedOsImages', os_image_hashes),
          allowed('kmsAllowedDeviceIds', device_ids),
        ]);
        return { os_images, devices };
      }),
    isAppAllowed: (contract, boot, signal) =>
      read(contract, signal, async (client, at) => {
        const answer = await orAbsent(
          client.readContract({ ...at, abi: kmsAbi, functionName: 'isAppAllowed', args: [bootInfo(boot)] }),
        );
        if (answer === null)
          throw new ChainError('bad_reply', "The contract doesn't say whether it allows apps.");
        const [allowed, reason] = answer;
        return { allowed, reason: allowed ? reasonOf(reason) : refusalReason(reason) };
      }),
    async authorizeBoot(contract, { subject, ...boot }, signal) {
      for (let tries = 1; ; tries++) {
        const answers = await readTwo(contract, signal, (client, at) => bootOf(client, at, subject, boot));
        const [first] = answers;
        if (!first) throw new ChainError('unreachable', 'No RPC responded.');
        const refused = answers.find(({ allowed }) => !allowed) ?? disputedGateway(answers);
        if (!refused) return first;
        // One of them may be a block behind.
        if (answers.every(({ allowed }) => !allowed) || tries === BEHIND_TRIES) return refused;
        await wait(BEHIND_MS, undefined, signal ? { signal } : {});
      }
    },
    async describeKms(contract, signal) {
      const answers = await readTwo(contract, signal, async (client, at) => {
        const code = await client.getCode(at);
        if (code === undefined || code === '0x')
          throw new ChainError('bad_reply', `There is no contract at ${contract.address}.`);
        const [gateway, implementation] = await Promise.all([
          orAbsent(client.readContract({ ...at, abi: kmsAbi, functionName: 'gatewayAppId' })),
          orAbsent(client.readContract({ ...at, abi: kmsAbi, functionName: 'appImplementation' })),
        ]);
        return { gateway_app_id: gatewayOf(gateway) ?? '', app_implementation: lower(implementation) };
      });
      const [first] = answers;
      if (!first) throw new ChainError('unreachable', 'No RPC responded.');
      if (!agree(answers)) throw new ChainError('bad_reply', `${DISPUTED_GATEWAY}.`);
      return first;
    },
    readApp: (contract, question, signal) =>
      read(contract, signal, (client, at) => appOf(client, at, question)),
    async startBlock(contract, signal) {
      const { found } = await read(contract, signal, async (client, at) => ({
        found: await startBlockOf(client, at),
      }));
      return found;
    },
    readEvents: (contract, question, signal) =>
      read(contract, signal, (client, at) => eventsFrom(client, at, question)),
    async findApps(contract, question, signal) {
      const { apps } = await read(contract, signal, async (client, at) => ({
        apps:
          'transaction_hash' in question
            ? await appsIn(client, at, question.transaction_hash)
            : await appsAllowing(client, at, question),
      }));
      return apps;
    },
    estimateFee: (contract, sending, signal) =>
      read(contract, signal, (client, at) => feeOf(client, at, sending)),
    async checkTransaction(contract, hash, signal) {
      for (let tries = 1; ; tries++) {
        const answers = await readTwoOfMore(contract, signal, async (client, at) => ({
          outcome: await outcomeOf(client, at, hash as Hex),
        }));
        const outcomes = new Set(answers.map(({ outcome }) => outcome));
        const [only] = outcomes;
        if (only !== undefined && outcomes.size === 1) {
          if (only === 'succeeded') requireTwo(contract, answers, 'the transaction');
          return only;
        }
        // Transactions waiting for a block aren't known everywhere.
        if ([...outcomes].every((outcome) => outcome === 'pending' || outcome === 'missing'))
          return 'pending';
        // One of them may be a block behind.
        const behind = outcomes.has('missing') || outcomes.has('pending');
        if (!behind || tries === BEHIND_TRIES) return 'disputed';
        await wait(BEHIND_MS, undefined, signal ? { signal } : {});
      }
    },
    checkRpcs,
  };
}

async function bootOf(client: PublicClient, at: At, subject: 'app' | 'kms', boot: AppBoot) {
  const functionName = subject === 'app' ? 'isAppAllowed' : 'isKmsAllowed';
  const [answer, gateway] = await Promise.all([
    orAbsent(client.readContract({ ...at, abi: kmsAbi, functionName, args: [bootInfo(boot)] })),
    orAbsent(client.readContract({ ...at, abi: kmsAbi, functionName: 'gatewayAppId' })),
  ]);
  if (answer === null) throw new ChainError('bad_reply', 'The contract gave no answer about this boot.');
  const [allowed, reason] = answer;
  return {
    allowed,
    reason: allowed ? reasonOf(reason) : refusalReason(reason),
    gateway_app_id: gatewayOf(gateway) ?? '',
  };
}

/** Apps trust the gateway with their traffic, so one RPC alone doesn't choose it. Null if all name the same one. */
function disputedGateway<T extends { reason: string; gateway_app_id: string }>(answers: readonly T[]) {
  const [first] = answers;
  if (!first || agree(answers)) return null;
  return { ...first, allowed: false, reason: DISPUTED_GATEWAY, gateway_app_id: '' };
}

const DISPUTED_GATEWAY = 'Two RPCs disagree about the gateway';
const agree = (answers: readonly { gateway_app_id: string }[]): boolean =>
  answers.every(({ gateway_app_id }) => gateway_app_id === answers[0]?.gateway_app_id);

async function outcomeOf(client: PublicClient, { address }: At, hash: Hex): Promise<TransactionOutcome> {
  const receipt = await client.getTransactionReceipt({ hash }).catch((error: unknown) => {
    if (error instanceof TransactionReceiptNotFoundError) return null;
    throw error;
  });
  if (receipt === null) {
    const waiting = await client.getTransaction({ hash }).catch((error: unknown) => {
      if (error instanceof TransactionNotFoundError) return null;
      throw error;
    });
    return waiting === null ? 'missing' : 'pending';
  }
  if (receipt.status !== 'success') return 'reverted';
  // A multisig wallet calls the contract from its own contract.
  const touched = [receipt.to, ...receipt.logs.map((log) => log.address)];
  return touched.some((one) => one?.toLowerCase() === address.toLowerCase()) ? 'succeeded' : 'unrelated';
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
  let isCut = false;
  const allowed = async (
    functionName: 'allowedOsImages' | 'kmsAllowedDeviceIds' | 'kmsAllowedAggregatedMrs',
    candidates: readonly string[],
  ) => {
    const hashes = [...new Set(candidates.flatMap(word))];
    isCut ||= hashes.splice(MAX_HASHES).length > 0;
    const answers = await Promise.all(
      hashes.map((hash) => orAbsent(client.readContract({ ...at, abi: kmsAbi, functionName, args: [hash] }))),
    );
    return hashes.map((hash, i) => ({ hash, allowed: answers[i] === true }));
  };
  const [images, devices, mrs] = await Promise.all([
    allowed('allowedOsImages', [...known.os_image_hashes, ...(events?.images ?? [])]),
    allowed('kmsAllowedDeviceIds', [...known.device_ids, ...(events?.devices ?? [])]),
    allowed('kmsAllowedAggregatedMrs', [...(known.aggregated_mrs ?? []), ...(events?.mrs ?? [])]),
  ]);
  return {
    code_present: true,
    owner: lower(owner),
    pending_owner: lower(pending_owner),
    app_implementation: lower(app_implementation),
    gateway_app_id: gatewayOf(gateway_app_id),
    k256_pubkey: keyOf(info?.[0]),
    ca_pubkey: keyOf(info?.[1]),
    os_images: images.map(({ hash, allowed }) => ({ os_image_hash: hash, allowed })),
    devices: devices.map(({ hash, allowed }) => ({ device_id: hash, allowed })),
    aggregated_mrs: mrs.filter((mr) => mr.allowed).map(({ hash }) => hash),
    app_count: events?.apps ?? null,
    complete: !isCut && (events !== null || known.complete === true),
  };
}

const keyOf = (bytes: Hex | undefined) =>
  bytes === undefined || bytes === '0x' ? null : bytes.slice(2, 514).toLowerCase();

/** Formats a hash for the contract's mappings; a value that isn't hex is in none. */
function word(text: string): Hex[] {
  const found = bytes32(text);
  return found === null ? [] : [found];
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
