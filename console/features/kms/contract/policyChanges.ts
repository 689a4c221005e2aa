import type { AppContractHost, AppContractPolicy } from '../../../../generated/api/types.gen';
import { contractCall } from '../../../lib/kms/contractCalls';
import { bytes32Fault, checksumAddress, newOwnerFault } from '../../../lib/kms/typedValues';
import type { Change } from './ChangeDialog';

export interface PolicyChange extends Change {
  /** The button's label. */
  label: string;
}

/** A change that gives up control over the contract, with its effect beside its button. */
export interface DangerChange extends PolicyChange {
  about: string;
}

/** Returns the changes to lists and flags that this contract version supports. */
export function policyChanges(policy: AppContractPolicy, hosts: readonly AppContractHost[]): PolicyChange[] {
  const { allow_any_device, require_tcb_up_to_date } = policy;
  return [
    {
      label: 'Allow compose hash…',
      title: 'Allow a compose hash',
      effect: 'CVMs of this app with this compose hash get its keys when they boot.',
      call: {
        name: 'addComposeHash',
        label: 'Compose hash',
        help: '64 hex digits. The app’s Revisions tab lists those of its revisions.',
        fault: bytes32Fault,
      },
    },
    {
      label: 'Allow device…',
      title: 'Allow a device',
      effect: 'CVMs of this app on this device get its keys when they boot.',
      call: {
        name: 'addDevice',
        label: 'Device ID',
        help:
          hosts.length > 0
            ? '64 hex digits. Choose a host, or ask another host’s operator for its device ID.'
            : '64 hex digits. Ask the host’s operator; administrators see it on the host’s page.',
        fault: bytes32Fault,
        choices: hosts.map(({ name, device_id }) => ({ label: name, value: device_id })),
        choiceLabel: 'Host',
      },
    },
    {
      label: allow_any_device ? 'Only listed devices…' : 'Allow any device…',
      title: allow_any_device ? 'Allow only listed devices' : 'Allow any device',
      effect: allow_any_device
        ? 'CVMs on devices that aren’t listed get no keys at their next boot.'
        : 'CVMs of this app get its keys on every device that the KMS serves.',
      call: contractCall('setAllowAnyDevice', String(!allow_any_device)),
    },
    ...(require_tcb_up_to_date === null
      ? []
      : [
          {
            label: require_tcb_up_to_date ? 'Accept an outdated TCB…' : 'Require an up-to-date TCB…',
            title: require_tcb_up_to_date ? 'Accept an outdated TCB' : 'Require an up-to-date TCB',
            effect: require_tcb_up_to_date
              ? 'The app also boots on devices whose firmware has known vulnerabilities.'
              : 'The app boots only on devices whose firmware is up to date.',
            call: contractCall('setRequireTcbUpToDate', String(!require_tcb_up_to_date)),
          },
        ]),
  ];
}

/** Returns the changes that give up or end control, the least final first. */
export function dangerChanges(policy: AppContractPolicy): DangerChange[] {
  const { two_step_transfer, upgrades_disabled } = policy;
  const owner = ownerName(policy);
  const replaced = policy.pending_owner === null ? '' : ' It replaces the pending offer.';
  return [
    {
      label: 'Transfer ownership…',
      about: two_step_transfer
        ? 'The new owner must accept it. Until then, the current owner can withdraw the offer.'
        : 'The new owner takes over immediately: this contract doesn’t require acceptance.',
      title: 'Transfer ownership',
      effect: two_step_transfer
        ? `This contract transfers in two steps. The new owner must accept; until then, ${owner} remains the owner and can withdraw the offer.${replaced}`
        : 'This contract transfers in one step. The new owner takes over as soon as the transaction is in a block, and only that account can transfer it back. Check every character of the address.',
      call: {
        name: 'transferOwnership',
        label: 'New owner',
        help: 'An account’s address: 0x and 40 hex digits.',
        fault: (value) => newOwnerFault(value, policy.owner),
      },
      ...(two_step_transfer ? {} : { typed: 'transfer' }),
    },
    ...(upgrades_disabled === false
      ? [
          {
            label: 'Disable upgrades…',
            about: 'The contract’s code can never be replaced again.',
            title: 'Disable upgrades permanently',
            effect: 'The contract’s code can never be replaced again. This can’t be undone.',
            call: contractCall('disableUpgrades'),
            typed: 'disable upgrades',
          },
        ]
      : []),
    {
      label: 'Renounce ownership…',
      about: 'Nobody can ever again change what the contract allows. New revisions of the app can’t boot.',
      title: 'Renounce ownership',
      effect:
        'Nobody can ever again change what the contract allows, so no new revision of the app can boot. This can’t be undone.',
      call: contractCall('renounceOwnership'),
      typed: 'renounce',
    },
  ];
}

const ownerName = ({ owner }: Pick<AppContractPolicy, 'owner'>): string =>
  owner === null ? 'the current owner' : checksumAddress(owner);

export interface PendingTransfer {
  pending: string;
  owner: string | null;
  accept: Change;
  withdraw: Change;
}

const NOBODY = `0x${'0'.repeat(40)}`;

/** Returns the pending transfer and the two ways it can end; null if there is none. */
export function pendingTransfer(policy: AppContractPolicy): PendingTransfer | null {
  if (policy.pending_owner === null) return null;
  const pending = checksumAddress(policy.pending_owner);
  const owner = ownerName(policy);
  return {
    pending: policy.pending_owner,
    owner: policy.owner,
    accept: {
      title: 'Accept ownership',
      effect: `Only the pending owner, ${pending}, can send this. It becomes the owner in place of ${owner}.`,
      call: contractCall('acceptOwnership'),
      sender: {
        account: pending,
        advice: `Choose the account ${pending} in your wallet. The current owner can’t accept for it, only withdraw the offer.`,
      },
    },
    withdraw: {
      title: 'Withdraw the offer',
      effect: `${pending} can no longer accept ownership, and ${owner} remains the owner. The transaction offers it to the zero address, which nobody controls.`,
      call: contractCall('transferOwnership', NOBODY),
    },
  };
}
