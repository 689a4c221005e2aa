import type { z } from 'zod';
import type { CallOptions, EnvPubKey, TlsOptions, VmmCredential, VmmLimits } from '../vmm';
import { RpcError } from '../vmm/rpcError';
import type { kmsMeta } from './schemas';

/** A call to a KMS failed; kinds as in `RpcError`. */
export class KmsError extends RpcError {}

/** `k256_pubkey` is the KMS's own claim: compare it with a pinned key, never pin from it unseen. */
type KmsMeta = z.output<typeof kmsMeta>;

/** Counted since the KMS started. */
interface KmsMetrics {
  attestation_requests: number;
  attestation_failures: number;
}
export type { EnvPubKey } from '../vmm';

/** The public part of dstack's key management service. Throws `KmsError`. */
export interface KmsDriver {
  readonly endpoint: string;
  getMeta(options?: CallOptions): Promise<KmsMeta>;
  /**
   * Returns the key for sealing an app's environment, with the KMS's signatures over it. Unverified: check it with
   * `verifyEnvKey` against the pinned k256 key before encrypting anything.
   * @param appId 40 hex, with or without `0x`
   */
  getAppEnvEncryptPubKey(appId: string, options?: CallOptions): Promise<EnvPubKey>;
  /** Its counters, which need no credential. */
  metrics(options?: CallOptions): Promise<KmsMetrics>;
  close(): Promise<void>;
}

export interface KmsOptions {
  /** `https://kms.example:8000`, or the local teepod's own KMS: `unix:/path/vmm.sock:/kms`, `http://127.0.0.1:9080/kms` */
  url: string;
  /** required by the local teepod's listener; a KMS itself needs none */
  credential?: VmmCredential | null;
  /**
   * A KMS's certificate comes from its own self-signed authority. `insecure` is sound for these two calls because the
   * caller verifies the signature, whatever the transport.
   */
  tls?: TlsOptions;
  limits?: Partial<VmmLimits>;
}

export type KmsFactory = (options: KmsOptions) => KmsDriver;

/** The columns of a KMS that decide how to connect to it. */
export interface KmsEndpoint {
  id: number;
  url: string;
}

/** One live driver per KMS. */
export interface KmsClients {
  /** @throws KmsError `unsupported` if the row's URL is unusable */
  get(row: KmsEndpoint): KmsDriver;
  /** forget a deleted KMS */
  drop(id: number): void;
  close(): Promise<void>;
}
