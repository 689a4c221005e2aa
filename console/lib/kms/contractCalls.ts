import { bytesToHex, utf8 } from '../bytes';
import { isAddress } from './appAuth';
import type { ChainDefinition } from './chains';
import { bytes32 } from './hex';

/**
 * Changes that an app's owner makes to its contract, or a KMS contract's owner to that one, with the selectors of
 * dstack's `DstackApp` and `DstackKms`.
 */
const FUNCTIONS = {
  addComposeHash: { selector: 'dfc77223', argument: 'bytes32' },
  removeComposeHash: { selector: '67b3f22c', argument: 'bytes32' },
  addDevice: { selector: '2a819728', argument: 'bytes32' },
  removeDevice: { selector: '1d266200', argument: 'bytes32' },
  setAllowAnyDevice: { selector: '7c4beeb8', argument: 'bool' },
  setRequireTcbUpToDate: { selector: '6e4c7422', argument: 'bool' },
  transferOwnership: { selector: 'f2fde38b', argument: 'address' },
  acceptOwnership: { selector: '79ba5097', argument: null },
  renounceOwnership: { selector: '715018a6', argument: null },
  disableUpgrades: { selector: 'ec669036', argument: null },
  addOsImageHash: { selector: '06a3ae96', argument: 'bytes32' },
  removeOsImageHash: { selector: '9425bac6', argument: 'bytes32' },
  addKmsDevice: { selector: '4d5922a1', argument: 'bytes32' },
  removeKmsDevice: { selector: '9e6f3114', argument: 'bytes32' },
  addKmsAggregatedMr: { selector: '3e32d346', argument: 'bytes32' },
  removeKmsAggregatedMr: { selector: '2adee48d', argument: 'bytes32' },
  setGatewayAppId: { selector: '3971db27', argument: 'string' },
  setAppImplementation: { selector: '3ceaaa11', argument: 'address' },
} as const;

export type ContractFunction = keyof typeof FUNCTIONS;

export interface ContractCall {
  name: ContractFunction;
  /** In the notation of command lines and explorers: `addComposeHash(bytes32)`. */
  signature: string;
  /** Null for a function without an argument. */
  argument: string | null;
  /** The transaction data that a wallet signs. */
  data: `0x${string}`;
}

/**
 * Returns a change as transaction data. @param value a hash or device ID in any form, an address, or `true` or
 * `false`
 * @throws RangeError if the value isn't valid
 */
export function contractCall(name: ContractFunction, value = ''): ContractCall {
  const { selector, argument: kind } = FUNCTIONS[name];
  if (kind === null) return { name, signature: `${name}()`, argument: null, data: `0x${selector}` };
  const word = wordOf(kind, value);
  if (word === null) throw new RangeError(`${value} is not of type ${kind}`);
  const argument = kind === 'bytes32' ? `0x${word}` : kind === 'string' ? `'${value}'` : value.toLowerCase();
  return { name, signature: `${name}(${kind})`, argument, data: `0x${selector}${word}` };
}

function wordOf(kind: 'bytes32' | 'bool' | 'address' | 'string', value: string): string | null {
  if (kind === 'string') return textWords(value);
  if (kind === 'bytes32') return bytes32(value)?.slice(2) ?? null;
  if (kind === 'bool')
    return value === 'true' || value === 'false' ? (value === 'true' ? '1' : '0').padStart(64, '0') : null;
  return isAddress(value) ? value.slice(2).toLowerCase().padStart(64, '0') : null;
}

/** Encodes an app ID, or `any`, as the only argument: its offset, length and bytes. */
function textWords(value: string): string | null {
  if (!/^(?:[0-9a-fA-F]{40}|any)$/.test(value)) return null;
  const hex = bytesToHex(utf8(value));
  const number = (one: number) => one.toString(16).padStart(64, '0');
  return number(32) + number(value.length) + hex.padEnd(Math.ceil(hex.length / 64) * 64, '0');
}

/**
 * Returns the RPC used in a command: a public one or, for the development chain, whose address depends on the
 * installation, Foundry's own variable.
 */
export const commandRpc = ({ slug, rpcUrls }: ChainDefinition): string =>
  (slug === 'local' ? undefined : rpcUrls.default.http[0]) ?? '"$ETH_RPC_URL"';

/** Returns the command for Foundry's `cast` that sends the change and asks for the key. */
export const castCommand = (
  call: Pick<ContractCall, 'signature' | 'argument'>,
  contract: string,
  rpc_url: string,
): string =>
  [
    'cast send',
    contract,
    `'${call.signature}'`,
    ...(call.argument === null ? [] : [call.argument]),
    `--rpc-url ${rpc_url}`,
    '--interactive',
  ].join(' ');
