import type { KmsContract, KmsContractNode } from '../../../generated/api/types.gen';
import { kmsOut, type KmsFields } from '../catalog/catalogResponse';
import { pinsOf, presentedPin } from './kmsKeys';

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

/**
 * Groups services, oldest first, by contract. A service without a pinned key is known to share its key with none. While
 * their root key is replaced, services that share either pin stay together: each is changed at its own time.
 */
export function kmsGroups<K extends KmsReplicaFields>(oldestFirst: readonly K[]): KmsGroup<K>[] {
  const all = oldestFirst.map((kms) => ({ kms, keys: keysOf(kms) }));
  const isGrouped = new Set<K>();
  return all.flatMap(({ kms: first, keys }) => {
    if (isGrouped.has(first)) return [];
    const shared = new Set(keys);
    // Each service may add a key that further ones share.
    for (let before = -1; before < shared.size;) {
      before = shared.size;
      for (const other of all)
        if (other.keys.some((key) => shared.has(key))) for (const key of other.keys) shared.add(key);
    }
    const members = all.filter((one) => one.keys.some((key) => shared.has(key))).map(({ kms }) => kms);
    for (const kms of members) isGrouped.add(kms);
    return [
      {
        first,
        replicas: members.filter(({ state }) => state !== 'retired'),
        ids: new Set(members.map(({ id }) => id)),
      },
    ];
  });
}

/** What identifies the contract of a service; two values while its root key is replaced. */
function keysOf(kms: KmsReplicaFields): string[] {
  const pins = pinsOf(kms);
  return (pins.length > 0 ? pins : [kms.id]).map((key) =>
    JSON.stringify([kms.chain_id, kms.kms_contract_address?.toLowerCase() ?? null, key]),
  );
}

/** The ID of a contract whose oldest replica has this ID: `kmsc_x` for `kms_x`. */
export const kmsContractId = (first: Pick<KmsFields, 'public_id'>): string =>
  first.public_id.replace(/^kms_/, 'kmsc_');

/**
 * @param label as administrators call the contract
 * @param service whose keys are named: replicas can be at different stages of replacing theirs
 */
export const kmsContractOut = (
  { first, replicas }: KmsGroup<KmsReplicaFields>,
  label: string | null,
  service: KmsReplicaFields = replicas[0] ?? first,
): KmsContract => ({
  id: kmsContractId(first),
  slug: first.slug,
  label,
  contract_address: first.kms_contract_address ?? 'phala',
  chain_id: first.chain_id ?? 0,
  k256_pubkey: presentedPin(service),
  valid_k256_pubkeys: pinsOf(service),
  ca_pubkey: [first, ...replicas].find(({ ca_pubkey }) => ca_pubkey !== null)?.ca_pubkey ?? null,
  node_count: replicas.length,
});

export const kmsNodeOut = (kms: KmsReplicaFields): KmsContractNode => {
  const { id, slug, url, version } = kmsOut(kms);
  return { id, slug, url, version, kms_type: kms.type };
};
