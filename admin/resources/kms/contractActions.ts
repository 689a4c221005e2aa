import {
  contractCall,
  type ContractCall,
  type ContractFunction,
} from '../../../console/lib/kms/contractCalls';
import {
  addressFault,
  bytes32Fault,
  gatewayFault,
  newOwnerFault,
} from '../../../console/lib/kms/typedValues';
import { counted } from '../../../console/lib/texts/count';

/** The contract's state when last read. */
export interface ContractState {
  /** Whether there is a contract at the address; null if unknown. */
  code_present: boolean | null;
  /** Empty if unknown. */
  owner: string;
  /** Empty if there is no pending owner. */
  pending_owner: string;
  /** Apps registered with it; null if unknown. */
  app_count: number | null;
}

/** Offers a pending transfer to the zero address instead, so that nobody can accept it. */
const WITHDRAW = 'withdrawTransfer';
const NOBODY = `0x${'0'.repeat(40)}`;

/** A KMS contract change, for the account that owns it. */
export interface ContractAction {
  name: ContractFunction | typeof WITHDRAW;
  label: string;
  /** The effect once it is on the chain. */
  effect: string;
  /** The value's input; absent for an action without one. */
  input?: {
    label: string;
    help: string;
    /** Returns why a value is invalid; null if it can be sent. */
    fault: (value: string) => string | null;
  };
  /** Text to type first. */
  typed?: string;
  /** Additional confirmation for values with a larger effect. */
  caution?: (value: string) => { effect: string; typed: string } | null;
  /** The required sender, if it isn't the owner. */
  sender?: { account: string; advice: string };
}

// A shorter hash would be padded with zeros, so that a partial copy becomes another hash.
const HASH = { help: 'A hash of 64 hex digits.', fault: bytes32Fault };
const ADDRESS = { help: 'An address: 0x followed by 40 hex digits.', fault: addressFault };
const ZERO = /^0x0*$/;

/** Whether nobody can change the contract anymore. */
export const isWithoutOwner = ({ owner, pending_owner }: ContractState): boolean =>
  pending_owner === '' && ZERO.test(owner);

/**
 * Returns the changes that a contract offers; empty if nobody can make them. A transaction to an address without a
 * contract succeeds without any effect.
 */
export const contractActions = (state: ContractState): ContractAction[] =>
  isWithoutOwner(state) || state.code_present === false
    ? []
    : [...ownersActions(state), ...pendingActions(state)];

const registered = ({ app_count }: ContractState): string =>
  app_count === null
    ? 'all apps registered with it'
    : `the ${counted(app_count, ['registered app', 'registered apps'])}`;

const ownersActions = (state: ContractState): ContractAction[] => [
  {
    name: 'addOsImageHash',
    label: 'Allow an OS image',
    effect:
      'Apps can boot with this image. Its builders can read what runs on it, so allow only images you have reproduced.',
    input: { label: 'OS image hash', ...HASH },
  },
  {
    name: 'removeOsImageHash',
    label: 'Remove an OS image',
    effect:
      'Apps can no longer boot with this image. CVMs already running it keep running but get no keys at their next boot: after a restart, an update or a host failure, they stay down until the image is allowed again.',
    input: { label: 'OS image hash', ...HASH },
    typed: 'remove',
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
    label: 'Allow a KMS device',
    effect: 'A KMS instance on this host can get the root keys.',
    input: { label: 'Device ID', ...HASH },
  },
  {
    name: 'removeKmsDevice',
    label: 'Remove a KMS device',
    effect: 'New KMS instances on this host no longer get the root keys.',
    input: { label: 'Device ID', ...HASH },
  },
  {
    name: 'setGatewayAppId',
    label: 'Set the gateway',
    effect: `Applies to ${registered(state)}, which will trust only this gateway. “any” turns this check off.`,
    input: {
      label: 'Gateway app ID',
      help: '40 hex digits, or any.',
      fault: gatewayFault,
    },
    caution: (value) =>
      value === 'any'
        ? {
            effect: `With “any”, ${registered(state)} will trust every gateway with a certificate from the KMS, no matter who runs it.`,
            typed: 'any gateway',
          }
        : null,
  },
  {
    name: 'setAppImplementation',
    label: 'Set the app implementation',
    effect: `App contracts deployed after this change run this code, which decides who gets those apps’ keys. The contracts of ${registered(state)} keep their current code.`,
    input: { label: 'Implementation', ...ADDRESS },
    typed: 'new implementation',
  },
  {
    name: 'transferOwnership',
    label: 'Transfer ownership',
    effect: 'The new owner takes over immediately in older contracts, or after accepting in newer ones.',
    input: {
      label: 'New owner',
      ...ADDRESS,
      fault: (value) => newOwnerFault(value, state.owner),
    },
    typed: 'transfer',
  },
];

/** A pending transfer can be accepted by its new owner only, or withdrawn by the current one. */
const pendingActions = ({ pending_owner }: ContractState): ContractAction[] =>
  pending_owner === ''
    ? []
    : [
        {
          name: 'acceptOwnership',
          label: 'Accept ownership',
          effect: `${pending_owner} becomes the owner. Only that account can send this transaction.`,
          sender: {
            account: pending_owner,
            advice: `Select account ${pending_owner} in your wallet. The current owner can’t accept on its behalf.`,
          },
        },
        {
          name: WITHDRAW,
          label: 'Withdraw the transfer',
          effect: `${pending_owner} can no longer accept ownership, and the current owner stays. The transaction offers it to the zero address, which nobody controls.`,
        },
      ];

/** Returns the text to type before a change with this value, and its additional effect. */
export const confirmationOf = (
  { typed, caution }: ContractAction,
  value: string,
): { effect: string | null; typed: string | undefined } => {
  const special = caution?.(value) ?? null;
  return { effect: special?.effect ?? null, typed: special?.typed ?? typed };
};

/** Returns the change as a transaction; null if its value is missing or invalid. */
export function actionCall({ name, input }: ContractAction, value: string): ContractCall | null {
  if (input && (value === '' || input.fault(value) !== null)) return null;
  return name === WITHDRAW ? contractCall('transferOwnership', NOBODY) : contractCall(name, value);
}
