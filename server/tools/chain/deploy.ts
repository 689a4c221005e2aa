import { setTimeout } from 'node:timers/promises';
import {
  encodeFunctionData,
  parseAbi,
  parseEventLogs,
  TransactionReceiptNotFoundError,
  type Abi,
  type Address,
  type Hash,
  type TransactionReceipt,
} from 'viem';
import type { AnvilClient } from './anvil';
import { compiledContract, type CompiledContract } from './compile';

/** The dstack release whose contracts are emulated: see contracts/. */
export type KmsVersion = '0.5.3' | '0.5.9' | 'next';

const FACTORY = parseAbi(['event AppDeployedViaFactory(address indexed appId, address indexed deployer)']);

const CONTRACTS: Record<KmsVersion, { kms: string; app: string }> = {
  '0.5.3': { kms: 'DstackKms053', app: 'DstackApp053' },
  '0.5.9': { kms: 'DstackKms059', app: 'DstackApp059' },
  next: { kms: 'DstackKms', app: 'DstackApp' },
};

export interface DeployedContract {
  address: Address;
  abi: Abi;
  /** Sends a transaction and waits until it is in a block. @throws if it reverts */
  send(functionName: string, args: readonly unknown[], from?: Address): Promise<TransactionReceipt>;
}

interface AppPolicy {
  /** 64 hex digits each, without 0x. */
  compose_hash: string;
  device_id: string;
  from?: Address;
}

export interface DeployedKms extends DeployedContract {
  /** The account that owns the contract. */
  owner: Address;
  app: CompiledContract;
  /** Deploys an app as the published command line does. The transaction's sender becomes its owner. */
  deployApp(policy: AppPolicy): Promise<DeployedContract>;
  /** Returns an app's contract at an address. */
  appAt(address: Address): DeployedContract;
}

/** Deploys a KMS contract behind a proxy, with an implementation for its apps. */
export async function deployKms(
  client: AnvilClient,
  { version = 'next', owner }: { version?: KmsVersion; owner?: Address } = {},
): Promise<DeployedKms> {
  const account = owner ?? (await client.getAddresses())[0];
  if (!account) throw new Error('anvil has no accounts');
  const app = compiledContract(CONTRACTS[version].app);
  const create = (name: string, args: readonly unknown[] = []) =>
    deployContract(client, name, { args, from: account });
  const appImplementation = await create(CONTRACTS[version].app);
  const kmsImplementation = await create(CONTRACTS[version].kms);
  const initialize = encodeFunctionData({
    abi: kmsImplementation.abi,
    functionName: 'initialize',
    args: [account, appImplementation.address],
  });
  const { address } = await create('ERC1967Proxy', [kmsImplementation.address, initialize]);
  const registry = contractAt(client, address, kmsImplementation.abi, account);
  return {
    ...registry,
    owner: account,
    app,
    appAt: (at) => contractAt(client, at, app.abi, account),
    async deployApp({ compose_hash, device_id, from = account }) {
      const args = [from, false, false, `0x${device_id}`, `0x${compose_hash}`];
      const { logs } = await registry.send('deployAndRegisterApp', args, from);
      const [deployed] = parseEventLogs({ abi: FACTORY, logs });
      if (!deployed) throw new Error('no app was deployed');
      return contractAt(client, deployed.args.appId, app.abi, from);
    },
  };
}

/** Deploys one of the contracts in contracts/. @param from the sender of its transactions; anvil's first account if absent */
export async function deployContract(
  client: AnvilClient,
  name: string,
  { args = [], from }: { args?: readonly unknown[]; from?: Address } = {},
): Promise<DeployedContract> {
  const account = from ?? (await client.getAddresses())[0];
  if (!account) throw new Error('anvil has no accounts');
  const { abi, bytecode } = compiledContract(name);
  const hash = await client.deployContract({ abi, bytecode, account, args });
  const { contractAddress } = await receiptOf(client, hash);
  if (!contractAddress) throw new Error(`${name} was not deployed`);
  return contractAt(client, contractAddress, abi, account);
}

export function contractAt(
  client: AnvilClient,
  address: Address,
  abi: Abi,
  account: Address,
): DeployedContract {
  return {
    address,
    abi,
    async send(functionName, args, from = account) {
      const { request } = await client.simulateContract({ abi, address, account: from, functionName, args });
      return receiptOf(client, await client.writeContract(request));
    },
  };
}

const RECEIPT_MS = 60_000;

/**
 * Waits until a transaction is in a block. viem's own wait looks again only after another block, which never follows
 * here: a receipt that is readable a moment after its block would be missed.
 */
export async function receiptOf(client: AnvilClient, hash: Hash): Promise<TransactionReceipt> {
  for (const until = Date.now() + RECEIPT_MS; ; await setTimeout(20)) {
    try {
      return await client.getTransactionReceipt({ hash });
    } catch (error) {
      if (!(error instanceof TransactionReceiptNotFoundError) || Date.now() > until) throw error;
    }
  }
}
