import { DriverCache } from '../vmm/driverCache';
import {
  KmsError,
  type KmsClients,
  type KmsDriver,
  type KmsEndpoint,
  type KmsFactory,
  type KmsOptions,
} from './index';

/**
 * Drivers per KMS.
 * @param optionsOf e.g. `kmsOptionsOf`, or one that adds the local teepod's credential
 */
export function createKmsClients(
  create: KmsFactory,
  optionsOf: (row: KmsEndpoint) => KmsOptions = kmsOptionsOf,
): KmsClients {
  return new DriverCache<KmsEndpoint, KmsDriver>(
    ({ url }) => url,
    (row) => {
      try {
        return create(optionsOf(row));
      } catch (cause) {
        const detail = cause instanceof Error ? cause.message : 'is unusable';
        throw new KmsError({ kind: 'unsupported', method: 'connect', endpoint: row.url, detail, cause });
      }
    },
  );
}

/**
 * A KMS's certificate comes from its own self-signed authority, so it isn't checked: nothing secret is sent, and the
 * only trusted response carries a signature that the caller compares with the pinned k256 key.
 */
export function kmsOptionsOf({ url }: KmsEndpoint): KmsOptions {
  return url.startsWith('https:') ? { url, tls: { insecure: true } } : { url };
}
