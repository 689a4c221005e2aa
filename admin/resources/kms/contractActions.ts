import type { ContractFunction } from '../../../console/lib/kms/contractCalls';

/** A change of a KMS contract, for the account that owns it. */
export interface ContractAction {
  name: ContractFunction;
  label: string;
  /** What it means once it is on the chain. */
  effect: string;
  /** Of the value; none for an action without one. */
  input?: { label: string; help: string };
  /** Must be typed first. */
  typed?: string;
}

const HASH = 'A hash of 64 hex digits.';
const ADDRESS = 'An address: 0x and 40 hex digits.';

export const CONTRACT_ACTIONS: readonly ContractAction[] = [
  {
    name: 'addOsImageHash',
    label: 'Allow an OS image',
    effect:
      'Apps can boot with this image. Its builders can read what runs on it, so allow only what you have reproduced.',
    input: { label: 'OS image hash', help: HASH },
  },
  {
    name: 'removeOsImageHash',
    label: 'Remove an OS image',
    effect: 'Apps can no longer start with this image. Those that run keep running until they restart.',
    input: { label: 'OS image hash', help: HASH },
  },
  {
    name: 'addKmsAggregatedMr',
    label: 'Allow KMS measurements',
    effect: 'A KMS instance with these measurements gets the root keys.',
    input: { label: 'Aggregated measurement', help: HASH },
  },
  {
    name: 'removeKmsAggregatedMr',
    label: 'Remove KMS measurements',
    effect: 'New KMS instances with these measurements no longer get the root keys.',
    input: { label: 'Aggregated measurement', help: HASH },
  },
  {
    name: 'addKmsDevice',
    label: 'Allow a device for the KMS',
    effect: 'A KMS instance on this host can get the root keys.',
    input: { label: 'Device ID', help: HASH },
  },
  {
    name: 'removeKmsDevice',
    label: 'Remove a device of the KMS',
    effect: 'New KMS instances on this host no longer get the root keys.',
    input: { label: 'Device ID', help: HASH },
  },
  {
    name: 'setGatewayAppId',
    label: 'Set the gateway',
    effect: 'Apps trust only this gateway. “any” turns that check off for all of them.',
    input: { label: 'App ID of the gateway', help: '40 hex digits, or any.' },
  },
  {
    name: 'setAppImplementation',
    label: 'Set the app implementation',
    effect: 'App contracts that are deployed from then on use this code. Existing ones keep theirs.',
    input: { label: 'Implementation', help: ADDRESS },
  },
  {
    name: 'transferOwnership',
    label: 'Transfer ownership',
    effect:
      'The other account becomes the owner: immediately in older contracts, after it has accepted in newer ones.',
    input: { label: 'New owner', help: ADDRESS },
    typed: 'transfer',
  },
  {
    name: 'acceptOwnership',
    label: 'Accept ownership',
    effect: 'The account that ownership was offered to becomes the owner. Send it from that account.',
  },
];
