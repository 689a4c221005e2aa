import type { KmsContract, KmsContractNode } from '../../../generated/api/types.gen';
import { kmsOut, type KmsFields } from '../catalog/catalogResponse';

// Clients see key management services as contracts: the replicas that share one root key. Off chain nothing else
// governs a root key, so its "contract" is the name `phala` on chain 0.

export interface KmsReplicaFields extends KmsFields {
  id: number;
  type: KmsContractNode['kms_type'];
  ca_pubkey: string | null;
  state: string;
}

export interface KmsGroup<K extends KmsReplicaFields> {
  /** The oldest replica, retired or not: it gives the contract its ID and slug. */
  first: K;
  /** Replicas that aren't retired, oldest first. */
  replicas: K[];
  /** Row IDs of all replicas, retired or not. */
  ids: Set<number>;
}

/** Groups services, oldest first, by contract. A service without a pinned key is known to share its key with none. */
export function kmsGroups<K extends KmsReplicaFields>(oldestFirst: readonly K[]): KmsGroup<K>[] {
  const groups = new Map<string, KmsGroup<K>>();
  for (const kms of oldestFirst) {
    const key = JSON.stringify([
      kms.chain_id,
      kms.kms_contract_address?.toLowerCase() ?? null,
      kms.k256_pubkey ?? kms.id,
    ]);
    const group = groups.get(key) ?? { first: kms, replicas: [], ids: new Set() };
    group.ids.add(kms.id);
    if (kms.state !== 'retired') group.replicas.push(kms);
    groups.set(key, group);
  }
  return [...groups.values()];
}

/** The ID of a contract whose oldest replica has this ID: `kmsc_x` for `kms_x`. */
export const kmsContractId = (first: Pick<KmsFields, 'public_id'>): string =>
  first.public_id.replace(/^kms_/, 'kmsc_');

/** @param label as administrators call the contract */
export const kmsContractOut = (
  { first, replicas }: KmsGroup<KmsReplicaFields>,
  label: string | null,
): KmsContract => ({
  id: kmsContractId(first),
  slug: first.slug,
  label,
  contract_address: first.kms_contract_address ?? 'phala',
  chain_id: first.chain_id ?? 0,
  k256_pubkey: first.k256_pubkey,
  ca_pubkey: [first, ...replicas].find(({ ca_pubkey }) => ca_pubkey !== null)?.ca_pubkey ?? null,
  node_count: replicas.length,
});

export const kmsNodeOut = (kms: KmsReplicaFields): KmsContractNode => {
  const { id, slug, url, version } = kmsOut(kms);
  return { id, slug, url, version, kms_type: kms.type };
};
