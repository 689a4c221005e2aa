/**
 * The KMS role with a contract: it releases an app's keys only if the KMS contract allows the boot. It has its
 * own root keys, so that a refused app can't get the same keys elsewhere.
 */
import {
  ContractFunctionRevertedError,
  createPublicClient,
  http,
  parseAbi,
  RpcRequestError,
  type Address,
  type BaseError,
  type Hex,
  type PublicClient,
} from 'viem';
import { cutWhole } from '../../../console/lib/texts/cutWhole';
import type { ChainContract } from './keyServices';
import type { Kms } from '../kms';

const ANSWER_MS = 10_000;

const ABI = parseAbi([
  'function isAppAllowed((address appId, bytes32 composeHash, address instanceId, bytes32 deviceId, bytes32 mrAggregated, bytes32 mrSystem, bytes32 osImageHash, string tcbStatus, string[] advisoryIds) bootInfo) view returns (bool isAllowed, string reason)',
]);
const NO_HASH: Hex = `0x${'0'.repeat(64)}`;
const NO_ADDRESS: Address = `0x${'0'.repeat(40)}`;

/** Hex without 0x. */
export interface BootRequest {
  app_id: string;
  compose_hash: string;
  os_image_hash: string;
}

/** Returns the app contract's revert reason, passed on by the KMS contract; null if an RPC failed. */
function failureOf(error: unknown): string | null {
  const walk = (error as Partial<BaseError>).walk?.bind(error);
  const rpc = walk?.((cause) => cause instanceof RpcRequestError) as RpcRequestError | null | undefined;
  const reverted = walk?.((cause) => cause instanceof ContractFunctionRevertedError) as
    | ContractFunctionRevertedError
    | null
    | undefined;
  // RPCs use other codes for their own failures.
  if (!reverted || rpc?.code !== 3) return null;
  const [words] = reverted.data?.errorName === 'Error' ? (reverted.data.args ?? []) : [];
  return typeof words === 'string' && words !== ''
    ? `the app's contract failed with “${cutWhole(words, 500)}”`
    : "the app's contract gave no answer";
}

export class ChainKms {
  constructor(
    readonly kms: Kms,
    readonly contract: ChainContract,
    /** This machine's device ID, 64 hex digits. */
    readonly device_id: string,
  ) {}

  meta(): Record<string, unknown> {
    return {
      ...this.kms.meta(),
      allow_any_upgrade: false,
      kms_contract_address: this.contract.address,
      chain_id: this.contract.chain_id,
    };
  }

  /** @throws {Error} with the contract's reason, or because no RPC answers, in which case nothing is released */
  async authorize(boot: BootRequest, signal: AbortSignal): Promise<void> {
    let last: unknown;
    for (const url of this.contract.rpc_urls) {
      let answer: readonly [boolean, string];
      try {
        answer = await this.#ask(url, boot, signal);
      } catch (error) {
        signal.throwIfAborted();
        const failure = failureOf(error);
        if (failure !== null) throw new Error(`the KMS contract refused the app keys: ${failure}`);
        last = error;
        continue;
      }
      const [allowed, reason] = answer;
      if (allowed) return;
      throw new Error(`the KMS contract refused the app keys: ${cutWhole(reason, 500) || 'no reason given'}`);
    }
    throw new Error(
      `the KMS contract ${this.contract.address} on chain ${this.contract.chain_id} can't be read, so the app gets no keys`,
      { cause: last },
    );
  }

  async #ask(url: string, boot: BootRequest, signal: AbortSignal): Promise<readonly [boolean, string]> {
    const client: PublicClient = createPublicClient({
      // A contract must not redirect this host to a URL of its choice (EIP-3668).
      ccipRead: false,
      transport: http(url, {
        timeout: 0,
        retryCount: 0,
        // Given a signal, viem drops its own limit.
        fetchOptions: { signal: AbortSignal.any([signal, AbortSignal.timeout(ANSWER_MS)]) },
      }),
    });
    const said = await client.getChainId();
    if (said !== this.contract.chain_id)
      throw new Error(`the RPC serves chain ${said}, not ${this.contract.chain_id}`);
    return client.readContract({
      address: this.contract.address,
      abi: ABI,
      functionName: 'isAppAllowed',
      args: [
        {
          appId: `0x${boot.app_id}`,
          composeHash: `0x${boot.compose_hash}`,
          instanceId: NO_ADDRESS,
          deviceId: `0x${this.device_id}`,
          mrAggregated: NO_HASH,
          mrSystem: NO_HASH,
          osImageHash: `0x${boot.os_image_hash}`,
          // Simulated, like everything a local teepod measures.
          tcbStatus: 'UpToDate',
          advisoryIds: [],
        },
      ],
    });
  }
}
