import { cutWhole } from '../../../console/lib/texts/cutWhole';
import type { ChainDefinition } from '../../../console/lib/kms/chains';
import type {
  AppContract,
  AppContractEntry,
  AppContractHost,
  AppContractIndex,
} from '../../../generated/api/types.gen';
import { isRenounced } from './bootRefusal';
import type { ContractEvent } from './contractEvents';

interface PolicyFields {
  code_present: boolean;
  registered: boolean;
  owner: string | null;
  /** Null for contracts without a second step; zero while nobody is pending. */
  pending_owner: string | null;
  implementation: string | null;
  /** The implementation that the KMS contract gives new apps; zero before one is set. */
  kms_implementation: string | null;
  allow_any_device: boolean;
  require_tcb_up_to_date: boolean | null;
  upgrades_disabled: boolean | null;
  compose_hashes: readonly boolean[];
  device_ids: readonly boolean[];
  block_number: number;
  block_at: Date;
}

export interface IndexFields {
  start_block: number | null;
  start_exact: boolean;
  indexed_block: number | null;
  latest_block: number | null;
  indexed_at: Date | null;
  last_error: string | null;
  full_at_block: number | null;
}

interface Named {
  event: ContractEvent;
  name: string | null;
}

interface AppContractFields {
  chain: ChainDefinition;
  address: string;
  kms_contract_address: string;
  /** Current state on the chain, in list order; an error if it can't be read. */
  reading: PolicyFields | Error;
  hashes: readonly Named[];
  devices: readonly Named[];
  hosts: AppContractHost[];
  history: readonly ContractEvent[];
  index: IndexFields | null;
}

const ZERO = /^0x0*$/;
const account = (address: string | null) => (address === null || ZERO.test(address) ? null : address);

export function appContractOut(fields: AppContractFields): AppContract {
  const { chain, reading, index } = fields;
  const known = reading instanceof Error ? null : reading;
  return {
    chain: chain.slug,
    chain_id: chain.id,
    address: fields.address,
    kms_contract_address: fields.kms_contract_address,
    policy: known && {
      code_present: known.code_present,
      registered: known.registered,
      owner: account(known.owner),
      pending_owner: account(known.pending_owner),
      renounced: isRenounced(known),
      two_step_transfer: known.pending_owner !== null,
      implementation: known.implementation,
      kms_implementation: account(known.kms_implementation),
      allow_any_device: known.allow_any_device,
      require_tcb_up_to_date: known.require_tcb_up_to_date,
      upgrades_disabled: known.upgrades_disabled,
      block_number: known.block_number,
      block_at: known.block_at.toISOString(),
    },
    error: reading instanceof Error ? cutWhole(reading.message, 2000) : null,
    compose_hashes: fields.hashes.map((one, i) => entryOut(one, known?.compose_hashes[i] ?? null)),
    devices: fields.devices.map((one, i) => entryOut(one, known?.device_ids[i] ?? null)),
    hosts: fields.hosts,
    history: fields.history.map(({ kind, value, sender, tx_hash, block_number, at }) => ({
      kind,
      value,
      sender,
      tx_hash,
      block_number,
      at: at.toISOString(),
    })),
    index: index && indexOut(index),
  };
}

const entryOut = ({ event, name }: Named, allowed: boolean | null): AppContractEntry => ({
  value: event.value,
  name,
  allowed,
  added_at: event.at.toISOString(),
  added_by: event.sender,
  tx_hash: event.tx_hash,
});

/** Whether every event of the contract is known, up to the newest block of the last read. */
export const isComplete = (index: IndexFields): boolean =>
  index.start_exact &&
  index.full_at_block === null &&
  index.indexed_block !== null &&
  index.indexed_block === index.latest_block;

const indexOut = (index: IndexFields): AppContractIndex => ({
  from_block: index.start_block,
  to_block: index.indexed_block,
  latest_block: index.latest_block,
  complete: isComplete(index),
  read_at: index.indexed_at?.toISOString() ?? null,
  error: index.last_error,
});
