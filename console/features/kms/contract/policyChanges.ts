import type { AppContractPolicy } from '../../../../generated/api/types.gen';
import { contractCall } from '../../../lib/kms/contractCalls';
import type { Change } from './ChangeDialog';

export interface PolicyChange extends Change {
  /** On its button. */
  label: string;
}

/** Returns the changes of its flags that this version of the contract offers. */
export function policyChanges(policy: AppContractPolicy): PolicyChange[] {
  const { allow_any_device, require_tcb_up_to_date, upgrades_disabled, pending_owner } = policy;
  return [
    {
      label: 'Allow compose hash…',
      title: 'Allow a compose hash',
      effect: 'CVMs of this app with this compose hash get its keys when they boot.',
      call: { name: 'addComposeHash', label: 'Compose hash', help: 'Up to 64 hex digits.' },
    },
    {
      label: 'Allow device…',
      title: 'Allow a device',
      effect: 'CVMs of this app get its keys on this machine.',
      call: { name: 'addDevice', label: 'Device ID', help: 'Up to 64 hex digits.' },
    },
    {
      label: allow_any_device ? 'Only listed devices…' : 'Allow any device…',
      title: allow_any_device ? 'Allow only listed devices' : 'Allow any device',
      effect: allow_any_device
        ? 'CVMs on devices that aren’t listed get no keys at their next boot.'
        : 'The app’s keys are released on every machine that the KMS serves.',
      call: contractCall('setAllowAnyDevice', String(!allow_any_device)),
    },
    ...(require_tcb_up_to_date === null
      ? []
      : [
          {
            label: require_tcb_up_to_date ? 'Accept an outdated TCB…' : 'Require an up-to-date TCB…',
            title: require_tcb_up_to_date ? 'Accept an outdated TCB' : 'Require an up-to-date TCB',
            effect: require_tcb_up_to_date
              ? 'The app also boots on machines whose firmware has known weaknesses.'
              : 'The app boots only on machines whose firmware is up to date.',
            call: contractCall('setRequireTcbUpToDate', String(!require_tcb_up_to_date)),
          },
        ]),
    ...(pending_owner === null || /^0x0+$/.test(pending_owner)
      ? []
      : [
          {
            label: 'Accept ownership…',
            title: 'Accept ownership',
            effect: `The pending owner ${pending_owner} becomes the owner. Only that account can send this.`,
            call: contractCall('acceptOwnership'),
          },
        ]),
    ...(upgrades_disabled === false
      ? [
          {
            label: 'Disable upgrades…',
            title: 'Disable upgrades for good',
            effect: 'The contract’s code can never be replaced again. This can’t be undone.',
            call: contractCall('disableUpgrades'),
            typed: 'disable upgrades',
          },
        ]
      : []),
    {
      label: 'Transfer ownership…',
      title: 'Transfer ownership',
      effect:
        'Newer contracts ask the new owner to accept; with older ones the transfer is immediate. Check the address.',
      call: { name: 'transferOwnership', label: 'New owner', help: 'An address: 0x and 40 hex digits.' },
    },
    {
      label: 'Renounce ownership…',
      title: 'Renounce ownership',
      effect: 'Nobody can ever change what the contract allows. This can’t be undone.',
      call: contractCall('renounceOwnership'),
      typed: 'renounce',
    },
  ];
}
