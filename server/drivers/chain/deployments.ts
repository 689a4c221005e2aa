import {
  getAbiItem,
  parseEventLogs,
  TransactionReceiptNotFoundError,
  type Address,
  type Hex,
  type PublicClient,
} from 'viem';
import { bytes32 } from '../../../console/lib/kms/hex';
import { appAbi, kmsAbi } from './kmsAbi';
import { orAbsent, type At } from './reader';
import { refusalOf } from './refusals';

/** Blocks to search, newest first. Halved for an RPC that allows fewer, until it answers. */
const MAX_SPAN = 5_000;
/** Number of newest contracts that are queried for an allowed hash. */
const MAX_ASKED = 20;

const EVENT = 'AppDeployedViaFactory';

/** Returns the apps that a transaction deployed through a KMS contract, as 40 lowercase hex digits. */
export async function appsIn(client: PublicClient, { address }: At, hash: string): Promise<string[]> {
  const receipt = await client.getTransactionReceipt({ hash: hash as Hex }).catch((error: unknown) => {
    if (error instanceof TransactionReceiptNotFoundError) return null;
    throw error;
  });
  if (receipt?.status !== 'success') return [];
  const own = receipt.logs.filter((log) => log.address.toLowerCase() === address.toLowerCase());
  return parseEventLogs({ abi: kmsAbi, eventName: EVENT, logs: own }).map(({ args }) => idOf(args.appId));
}

/**
 * Returns recently deployed apps of a KMS contract that allow a compose hash, newest first. Only apps deployed
 * by their owner: anyone can deploy a contract that names another owner and allows more than that owner would.
 * @param question.owner only apps of this account; any owner's if undefined
 */
export async function appsAllowing(
  client: PublicClient,
  at: At,
  { compose_hash, owner }: { compose_hash: string; owner?: string },
): Promise<string[]> {
  const key = bytes32(compose_hash);
  if (key === null) return [];
  const apps = (await deployedLately(client, at, owner)).slice(0, MAX_ASKED);
  const matches = await Promise.all(
    apps.map(async ({ address, deployer }) => {
      const call = { address, abi: appAbi, blockNumber: at.blockNumber } as const;
      const [isAllowed, owned_by] = await Promise.all([
        orAbsent(client.readContract({ ...call, functionName: 'allowedComposeHashes', args: [key] })),
        orAbsent(client.readContract({ ...call, functionName: 'owner' })),
      ]);
      return isAllowed === true && owned_by?.toLowerCase() === deployer;
    }),
  );
  return apps.flatMap(({ address }, i) => (matches[i] ? [idOf(address)] : []));
}

interface Deployed {
  address: Address;
  /** Lowercase. */
  deployer: string;
}

/** @param deployer only this account's deployments, so that others' don't hide them */
async function deployedLately(
  client: PublicClient,
  { address, blockNumber }: At,
  deployer: string | undefined,
): Promise<Deployed[]> {
  for (let span = MAX_SPAN; ; span = Math.floor(span / 2)) {
    const from = blockNumber - BigInt(span) + 1n;
    try {
      const logs = await client.getLogs({
        address,
        event: getAbiItem({ abi: kmsAbi, name: EVENT }),
        args: { deployer: (deployer as Address | undefined) ?? null },
        strict: true,
        fromBlock: from > 0n ? from : 0n,
        toBlock: blockNumber,
      });
      const found = logs
        .toReversed()
        .map(({ args }) => ({ address: args.appId, deployer: args.deployer.toLowerCase() }))
        // A node that ignores the filter must not decide whose contract it is.
        .filter((one) => deployer === undefined || one.deployer === deployer.toLowerCase());
      return [...new Map(found.map((one) => [one.address, one])).values()];
    } catch (error) {
      const refusal = refusalOf(error);
      if (refusal === null || refusal === 'busy' || span <= 1) throw error;
    }
  }
}

const idOf = (address: Address): string => address.slice(2).toLowerCase();
