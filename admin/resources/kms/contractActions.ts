import {
  contractCall,
  type ContractCall,
  type ContractFunction,
} from '../../../console/lib/kms/contractCalls';
import { addressFault, bytes32Fault } from '../../../console/lib/kms/typedValues';

/** A change of a KMS contract, for the account that owns it. */
export interface ContractAction {
  name: ContractFunction;
  label: string;
  /** What it means once it is on the chain. */
  effect: string;
  /** Of the value; none for an action without one. */
  input?: {
    label: string;
    help: string;
    /** Returns what is wrong with a value; null if it can be sent. */
    fault: (value: string) => string | null;
  };
  /** Must be typed first. */
  typed?: string;
}

// A shorter hash would be padded with zeros: part of one that was copied is another hash.
const HASH = { help: 'A hash of 64 hex digits.', fault: bytes32Fault };
const ADDRESS = { help: 'An address: 0x and 40 hex digits.', fault: addressFault };
const GATEWAY = '40 hex digits, or any.';

export const CONTRACT_ACTIONS: readonly ContractAction[] = [
  {
    name: 'addOsImageHash',
    label: 'Allow an OS image',
    effect:
      'Apps can boot with this image. Its builders can read what runs on it, so allow only what you have reproduced.',
    input: { label: 'OS image hash', ...HASH },
  },
  {
    name: 'removeOsImageHash',
    label: 'Remove an OS image',
    effect: 'Apps can no longer start with this image. Those that run keep running until they restart.',
    input: { label: 'OS image hash', ...HASH },
  },
  {
    name: 'addKmsAggregatedMr',
    label: 'Allow KMS measurements',
    effect: 'A KMS instance with these measurements gets the root keys.',
    input: { label: 'Aggregated measurement', ...HASH },
  },
  {
    name: 'removeKmsAggregatedMr',
    label: 'Remove KMS measurements',
    effect: 'New KMS instances with these measurements no longer get the root keys.',
    input: { label: 'Aggregated measurement', ...HASH },
  },
  {
    name: 'addKmsDevice',
    label: 'Allow a device for the KMS',
    effect: 'A KMS instance on this host can get the root keys.',
    input: { label: 'Device ID', ...HASH },
  },
  {
    name: 'removeKmsDevice',
    label: 'Remove a device of the KMS',
    effect: 'New KMS instances on this host no longer get the root keys.',
    input: { label: 'Device ID', ...HASH },
  },
  {
    name: 'setGatewayAppId',
    label: 'Set the gateway',
    effect: 'Apps trust only this gateway. “any” turns that check off for all of them.',
    input: {
      label: 'App ID of the gateway',
      help: GATEWAY,
      fault: (value) => (/^(?:[0-9a-fA-F]{40}|any)$/.test(value) ? null : GATEWAY),
    },
  },
  {
    name: 'setAppImplementation',
    label: 'Set the app implementation',
    effect: 'App contracts that are deployed from then on use this code. Existing ones keep theirs.',
    input: { label: 'Implementation', ...ADDRESS },
  },
  {
    name: 'transferOwnership',
    label: 'Transfer ownership',
    effect:
      'The other account becomes the owner: immediately in older contracts, after it has accepted in newer ones.',
    input: { label: 'New owner', ...ADDRESS },
    typed: 'transfer',
  },
  {
    name: 'acceptOwnership',
    label: 'Accept ownership',
    effect: 'The account that ownership was offered to becomes the owner. Send it from that account.',
  },
];

/** Returns the change as a transaction; null while its value is missing or can't be sent. */
export function actionCall({ name, input }: ContractAction, value: string): ContractCall | null {
  if (input && (value === '' || input.fault(value) !== null)) return null;
  return contractCall(name, value);
}
