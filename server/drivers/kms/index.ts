import type { z } from 'zod';
import type { CallOptions, EnvPubKey, TlsOptions, VmmCredential, VmmLimits } from '../vmm';
import { RpcError } from '../vmm/rpcError';
import type { kmsMeta } from './schemas';

/** A call to a KMS failed; kinds as in `RpcError`. */
export class KmsError extends RpcError {}

/** `k256_pubkey` here is what the KMS says of itself: compare it with a pinned key, never pin from it unseen. */
export type KmsMeta = z.output<typeof kmsMeta>;
export type { EnvPubKey } from '../vmm';

/** The public part of dstack's key management service. Throws `KmsError`. */
export interface KmsDriver {
  readonly endpoint: string;
  getMeta(options?: CallOptions): Promise<KmsMeta>;
  /**
   * The key to which an app's environment is sealed, with the KMS's signatures over it. Unverified: check it
   * with `verifyEnvKey` against the pinned k256 key before a byte is encrypted.
   * @param appId 40 hex, with or without `0x`
   */
  getAppEnvEncryptPubKey(appId: string, options?: CallOptions): Promise<EnvPubKey>;
  close(): Promise<void>;
}

export interface KmsOptions {
  /** `https://kms.example:8000`, or the local teepod's own KMS: `unix:/path/vmm.sock:/kms`, `http://127.0.0.1:9080/kms` */
  url: string;
  /** the local teepod's listener asks for one; a KMS itself does not */
  credential?: VmmCredential | null;
  /**
   * A KMS has a certificate of its own self-signed authority. `insecure` is sound for these two calls because the
   * signature is verified by the caller, whoever delivered it.
   */
  tls?: TlsOptions;
  limits?: Partial<VmmLimits>;
}

export type KmsFactory = (options: KmsOptions) => KmsDriver;

/** The columns of a KMS that decide how to talk to it. */
export interface KmsEndpoint {
  id: number;
  url: string;
}

/** One live driver per KMS. */
export interface KmsClients {
  /** @throws KmsError `unsupported` when the row's URL cannot be used */
  get(row: KmsEndpoint): KmsDriver;
  /** forget a deleted KMS */
  drop(id: number): void;
  close(): Promise<void>;
}
