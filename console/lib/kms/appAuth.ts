import { bytes32 } from './hex';

/** Exists in every dstack release since 0.5.3; later ones have a second form with a TCB flag. */
const SIGNATURE = 'deployAndRegisterApp(address,bool,bool,bytes32,bytes32)';
const SELECTOR = '8618169d';
/** Topic of `AppDeployedViaFactory(address indexed appId, address indexed deployer)`. */
const DEPLOYED = '0xfd86d7f6962eba3b7a3bf9129c06c0b2f885e1c61ef2c9f0dbb856be0deefdee';

export interface AppPolicy {
  /** The account that may change the contract. */
  owner: string;
  compose_hash: string;
  /** The host's device ID. Others must be allowed later. */
  device_id: string;
}

/** A transaction to a KMS contract. */
export interface DeployAppCall {
  signature: string;
  /** The arguments in command-line notation. */
  argument: string;
  data: `0x${string}`;
}

/**
 * Returns the transaction that deploys an app's contract and registers it with the KMS contract it is sent to. The
 * owner can upgrade the contract, and it allows one device. @throws RangeError if a value is malformed
 */
export function deployAppCall({ owner, compose_hash, device_id }: AppPolicy): DeployAppCall {
  const [device, hash] = [bytes32(device_id), bytes32(compose_hash)];
  if (!isAddress(owner)) throw new RangeError(`${owner} is not an address`);
  if (device === null || hash === null) throw new RangeError('The hash and the device ID must be hex');
  const no = '0'.padStart(64, '0');
  const words = [owner.slice(2).toLowerCase().padStart(64, '0'), no, no, device.slice(2), hash.slice(2)];
  return {
    signature: SIGNATURE,
    argument: [owner, 'false', 'false', device, hash].join(' '),
    data: `0x${SELECTOR}${words.join('')}`,
  };
}

export interface DeployedApp {
  /** 40 lowercase hex digits: the contract's address is the app's ID. */
  app_id: string;
  /** The account that sent the transaction, with 0x. */
  deployer_address: string;
}

/**
 * Returns the app that a transaction deployed, or null. @param logs as returned by a wallet, in any format
 * @param kms the KMS contract; only its logs count
 */
export function deployedApp(logs: unknown, kms: string): DeployedApp | null {
  if (!Array.isArray(logs)) return null;
  for (const log of logs as unknown[]) {
    if (typeof log !== 'object' || log === null) continue;
    const { address, topics } = log as { address?: unknown; topics?: unknown };
    if (typeof address !== 'string' || address.toLowerCase() !== kms.toLowerCase()) continue;
    if (!Array.isArray(topics) || topics[0] !== DEPLOYED) continue;
    const [app, deployer] = topics.slice(1).map(addressOf);
    if (app && deployer) return { app_id: app.slice(2), deployer_address: deployer };
  }
  return null;
}

/** Whether a text is an account or contract address. */
export const isAddress = (text: string): boolean => /^0x[0-9a-fA-F]{40}$/.test(text);

const addressOf = (topic: unknown): string | null =>
  typeof topic === 'string' && /^0x0{24}[0-9a-fA-F]{40}$/.test(topic)
    ? `0x${topic.slice(26).toLowerCase()}`
    : null;
