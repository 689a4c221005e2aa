import type { AdminKms, AdminKmsContract } from '../../../generated/api/types.gen';
import { judgeContract, type ContractFacts } from './kmsContract';
import { presentsWhich } from './kmsKeys';
import { iso, type Stored } from '../core/references';
import { ownValue } from '../../../console/lib/ownValue';

export type AdminKmsFields = Stored<
  Omit<AdminKms, 'presents'>,
  'checked_at' | 'answered_at' | 'metrics_at' | 'webhook_asked_at' | 'created_at' | 'updated_at'
>;

export const adminKmsOut = (kms: AdminKmsFields): AdminKms => ({
  id: kms.id,
  slug: kms.slug,
  type: kms.type,
  local: kms.local,
  url: kms.url,
  version: kms.version,
  state: kms.state,
  health: kms.health,
  k256_pubkey: kms.k256_pubkey,
  next_k256_pubkey: kms.next_k256_pubkey,
  presents: presentsWhich(kms),
  ca_pubkey: kms.ca_pubkey,
  seen_k256_pubkey: kms.seen_k256_pubkey,
  seen_ca_pubkey: kms.seen_ca_pubkey,
  chain: kms.chain,
  kms_contract_address: kms.kms_contract_address,
  gateway_app_id: kms.gateway_app_id,
  teepod_count: kms.teepod_count,
  contract_count: kms.contract_count,
  app_count: kms.app_count,
  cvm_count: kms.cvm_count,
  notices: kms.notices.slice(0, 20),
  checked_at: iso(kms.checked_at),
  answered_at: iso(kms.answered_at),
  last_error: kms.last_error,
  attestation_requests: kms.attestation_requests,
  attestation_failures: kms.attestation_failures,
  metrics_at: iso(kms.metrics_at),
  metrics_error: kms.metrics_error,
  tcb_statuses: kms.tcb_statuses,
  advisory_ids: kms.advisory_ids,
  aggregated_mrs: kms.aggregated_mrs,
  webhook_token: kms.webhook_token,
  webhook_asked_at: iso(kms.webhook_asked_at),
  created_at: kms.created_at.toISOString(),
  updated_at: kms.updated_at.toISOString(),
});

type Plain =
  | 'id'
  | 'label'
  | 'chain'
  | 'address'
  | 'kms_id'
  | 'state'
  | 'health'
  | 'notices'
  | 'last_error'
  | 'block_number';
type ContractTimes = 'read_at' | 'block_at' | 'attempted_at' | 'created_at' | 'updated_at';
export type AdminKmsContractFields = Stored<Pick<AdminKmsContract, Plain | ContractTimes>, ContractTimes> & {
  facts: ContractFacts | null;
  kms_k256_pubkey: string | null;
  kms_next_k256_pubkey: string | null;
  kms_ca_pubkey: string | null;
  image_names: Record<string, string>;
  node_names: Record<string, string>;
};

/** Contracts without an offer name the zero address. */
const offeredTo = (facts: ContractFacts | null): string | null =>
  /^0x0*$/.test(facts?.pending_owner ?? '0x') ? null : (facts?.pending_owner ?? null);

export function adminKmsContractOut(row: AdminKmsContractFields): AdminKmsContract {
  const { facts } = row;
  const pinned = {
    k256_pubkey: row.kms_k256_pubkey,
    next_k256_pubkey: row.kms_next_k256_pubkey,
    ca_pubkey: row.kms_ca_pubkey,
  };
  return {
    id: row.id,
    label: row.label,
    chain: row.chain,
    address: row.address,
    kms_id: row.kms_id,
    state: row.state,
    health: row.health,
    notices: row.notices.slice(0, 20),
    code_present: facts?.code_present ?? null,
    owner: facts?.owner ?? null,
    pending_owner: offeredTo(facts),
    app_implementation: facts?.app_implementation ?? null,
    gateway_app_id: facts?.gateway_app_id ?? null,
    k256_pubkey: facts?.k256_pubkey ?? null,
    ca_pubkey: facts?.ca_pubkey ?? null,
    keys_match: facts === null ? null : judgeContract(facts, pinned).keys_match,
    app_count: facts?.app_count ?? null,
    os_images: (facts?.os_images ?? []).slice(0, 500).map((image) => ({
      os_image_hash: image.os_image_hash,
      name: ownValue(row.image_names, image.os_image_hash) ?? null,
      allowed: image.allowed,
    })),
    devices: (facts?.devices ?? []).slice(0, 500).map((device) => ({
      device_id: device.device_id,
      node_name: ownValue(row.node_names, device.device_id) ?? null,
      allowed: device.allowed,
    })),
    aggregated_mrs: (facts?.aggregated_mrs ?? []).slice(0, 500),
    complete: facts?.complete ?? null,
    read_at: iso(row.read_at),
    block_number: row.block_number,
    block_at: iso(row.block_at),
    attempted_at: iso(row.attempted_at),
    last_error: row.last_error,
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
  };
}
