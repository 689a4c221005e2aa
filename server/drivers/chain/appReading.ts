import { getAbiItem, type Address, type PublicClient } from 'viem';
import { bareHex, bytes32 } from '../../../console/lib/kms/hex';
import { addressOf, bootInfo, lower, reasonOf } from './chainValues';
import type { AppBoot, AppQuestion, AppReading } from './index';
import { appAbi, kmsAbi } from './kmsAbi';
import { orAbsent, orFailure, type At } from './reader';
import { refusalReason, unansweredReason } from './reverts';

/** keccak256("eip1967.proxy.implementation") - 1 */
const IMPLEMENTATION_SLOT = '0x360894a13ba1a3210667c828492db98dca3e2076cc3735a920a3ca505d382bbc';
/**
 * Storage slot of whether upgrades are disabled, which has no getter, and in the next byte whether any device
 * is allowed.
 */
const FLAGS_SLOT = '0x1';

const ADDRESS_BITS = 2n ** 160n - 1n;

/** Some nodes leave out a word's leading zeros, or return nothing for an unused slot. */
const slotValue = (word: string | undefined): bigint =>
  word !== undefined && /^0x[0-9a-f]{1,64}$/i.test(word) ? BigInt(word) : 0n;

type AppFacts = Omit<AppReading, 'block_number' | 'block_at'>;

/** Reads an app's contract. A missing contract or function means that nothing is allowed. */
export async function appOf(client: PublicClient, at: At, question: AppQuestion): Promise<AppFacts> {
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
    const answer = await orFailure(
      client.readContract({ ...at, abi: kmsAbi, functionName: 'isAppAllowed', args: [bootInfo(boot)] }),
    );
    if ('failure' in answer) return { allowed: false, reason: unansweredReason(answer.failure) };
    const [allowed, reason] = answer.value;
    return { allowed, reason: allowed ? reasonOf(reason) : refusalReason(reason) };
  };
  const registry = client.readContract({
    ...at,
    abi: kmsAbi,
    functionName: 'registeredApps',
    args: [app.address],
  });
  const get = <N extends 'owner' | 'pendingOwner' | 'allowAnyDevice' | 'requireTcbUpToDate' | 'version'>(
    functionName: N,
  ) => orAbsent(client.readContract({ ...app, abi: appAbi, functionName }));
  const policy = Promise.all([
    orAbsent(client.readContract({ ...at, abi: kmsAbi, functionName: 'appImplementation' })),
    get('owner'),
    get('pendingOwner'),
    get('allowAnyDevice'),
    get('requireTcbUpToDate'),
    get('version'),
    client.getStorageAt({ ...app, slot: IMPLEMENTATION_SLOT }),
    client.getStorageAt({ ...app, slot: FLAGS_SLOT }),
  ]);
  const [code, registered, flags, deployer, compose_hashes, device_ids, verdicts] = await Promise.all([
    client.getCode(app),
    orAbsent(registry),
    policy,
    deployerOf(client, at, app.address),
    allowed('allowedComposeHashes', question.compose_hashes),
    allowed('allowedDeviceIds', question.device_ids),
    Promise.all(question.boots.map(verdict)),
  ]);
  const [usual, owner, pending, any, tcb, version, implementation, slot] = flags;
  const behind = slotValue(implementation) & ADDRESS_BITS;
  return {
    code_present: code !== undefined && code !== '0x',
    registered: registered === true,
    owner: lower(owner),
    pending_owner: lower(pending),
    implementation: behind === 0n ? null : `0x${behind.toString(16).padStart(40, '0')}`,
    kms_implementation: lower(usual),
    deployer,
    allow_any_device: any === true,
    require_tcb_up_to_date: tcb,
    // The lowest byte, since version 2.
    upgrades_disabled: version !== null && version >= 2n ? (slotValue(slot) & 0xffn) !== 0n : null,
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
  // Many RPCs don't search this far back.
  const logs = await client.getLogs(query).catch(() => []);
  // viem drops the logs of other apps. Other contracts may say anything about this one.
  const own = logs.find((log) => lower(log.address) === lower(address));
  return lower(own?.args.deployer ?? null);
}
