import type { ReactNode } from 'react';
import type { AppContract, AppContractPolicy } from '../../../../generated/api/types.gen';
import { ownValue } from '../../../lib/ownValue';
import { CopyId } from '../../../ui/data/CopyId';
import type { Fact } from '../../../ui/data/KeyValue';
import { RelativeTime } from '../../../ui/data/RelativeTime';
import { count } from '../../../lib/texts/count';

/** Width in pixels of a column that shows both ends of a shortened address or hash. */
export const HEX_WIDTH = 180;

export const Address = ({ value, what }: { value: string; what: string }) => (
  <CopyId id={value} what={what} />
);

const yesNo = (flag: boolean | null, unknown: string) => (flag === null ? unknown : flag ? 'Yes' : 'No');

/**
 * Whether the contract runs other code than the KMS contract deploys, so that what it says about itself may not be all
 * that it allows.
 */
export const hasOtherCode = ({
  code_present,
  implementation,
  kms_implementation,
}: Pick<AppContractPolicy, 'code_present' | 'implementation' | 'kms_implementation'>): boolean =>
  code_present && kms_implementation !== null && implementation !== kms_implementation;

/** Who can change the contract: one without an owner may have a pending one, or an unknown way to be changed. */
function ownerOf(policy: AppContractPolicy): ReactNode {
  const { owner, pending_owner, renounced } = policy;
  if (owner !== null) return <Address value={owner} what="owner" />;
  if (renounced)
    return hasOtherCode(policy) ? 'none, according to the contract' : 'none: nobody can change it';
  return pending_owner === null ? 'not named by the contract' : 'none';
}

/** The contract's address and, if the chain can be read, its policy. */
export function contractFacts(contract: AppContract, chainName: string): Fact[] {
  const { policy } = contract;
  const facts: Fact[] = [
    { label: 'Network', value: `${chainName} (${contract.chain_id})` },
    { label: 'App contract', value: <Address value={contract.address} what="app contract" /> },
    { label: 'KMS contract', value: <Address value={contract.kms_contract_address} what="KMS contract" /> },
  ];
  if (!policy) return facts;
  const { pending_owner, implementation } = policy;
  const read: Fact = {
    label: 'Read at block',
    // An RPC node may lag behind its network.
    value: (
      <>
        {count(policy.block_number)}, <RelativeTime at={policy.block_at} />
      </>
    ),
  };
  if (!policy.code_present) return [...facts, read];
  return [
    ...facts,
    { label: 'Owner', value: ownerOf(policy) },
    ...(pending_owner !== null
      ? [{ label: 'Pending owner', value: <Address value={pending_owner} what="pending owner" /> }]
      : []),
    { label: 'Registered with the KMS', value: policy.registered ? 'Yes' : 'No: it gets no keys' },
    { label: 'Any device', value: policy.allow_any_device ? 'Allowed' : 'Only those listed' },
    {
      label: 'Requires an up-to-date TCB',
      value: yesNo(policy.require_tcb_up_to_date, 'not supported by this version'),
    },
    {
      label: 'Upgrades disabled',
      value:
        policy.upgrades_disabled && hasOtherCode(policy)
          ? 'Yes, according to the contract'
          : yesNo(policy.upgrades_disabled, 'unknown in this version'),
    },
    {
      label: 'Implementation',
      value:
        implementation === null ? 'not a proxy' : <Address value={implementation} what="implementation" />,
    },
    read,
  ];
}

const EVENTS: Readonly<Record<string, string>> = {
  ComposeHashAdded: 'Compose hash allowed',
  ComposeHashRemoved: 'Compose hash removed',
  DeviceAdded: 'Device allowed',
  DeviceRemoved: 'Device removed',
  AllowAnyDeviceSet: 'Any device',
  RequireTcbUpToDateSet: 'Requires an up-to-date TCB',
  UpgradesDisabled: 'Upgrades disabled',
  OwnershipTransferStarted: 'Ownership offered',
  OwnershipTransferred: 'Owner changed',
  Upgraded: 'Implementation changed',
  Initialized: 'Initialized',
};

export const eventName = (kind: string): string => ownValue(EVENTS, kind) ?? kind;
