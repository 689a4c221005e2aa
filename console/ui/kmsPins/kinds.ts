import type { PinKind } from '../../lib/secrets/kmsPins';

export const KIND_NAMES: Readonly<Record<PinKind, string>> = {
  env: 'Environment root (secp256k1)',
  ca: 'Certificate root (P-256)',
};

/** Root keys the server has on record for a KMS. */
export interface ServerKms {
  slug: string;
  /** The one that the KMS presents. */
  k256_pubkey: string | null;
  /** All that are valid: two while the operator replaces it. */
  valid_k256_pubkeys: readonly string[];
  ca_pubkey: string | null;
}
