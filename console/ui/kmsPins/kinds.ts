import type { PinKind } from '../../lib/secrets/kmsPins';

export const KIND_NAMES: Readonly<Record<PinKind, string>> = {
  env: 'Environment root (secp256k1)',
  ca: 'Certificate root (P-256)',
};

/** Root keys the server has on record for a KMS. */
export interface ServerKms {
  slug: string;
  k256_pubkey: string | null;
  ca_pubkey: string | null;
}
