import { DriverCache } from './driverCache';
import {
  VmmError,
  type TeepodEndpoint,
  type VmmCredential,
  type VmmDriver,
  type VmmFactory,
  type VmmOptions,
  type VmmRegistry,
} from './index';

/**
 * Drivers per teepod. Only address, kind and credential matter: other columns change all the time (a probe writes
 * `last_seen_at`) and must not cost the host its connections.
 * @param open unseals a credential
 */
export function createVmmRegistry(create: VmmFactory, open: (sealed: string) => string): VmmRegistry {
  return new DriverCache<TeepodEndpoint, VmmDriver>(
    ({ url, kind, credential_kind, sealed_credential }) =>
      JSON.stringify([url, kind, credential_kind, sealed_credential]),
    (row) => {
      try {
        return create(vmmOptionsOf(row, open));
      } catch (cause) {
        const detail = cause instanceof Error ? cause.message : 'is unusable';
        throw new VmmError({ kind: 'unsupported', method: 'connect', endpoint: row.url, detail, cause });
      }
    },
  );
}

function vmmOptionsOf(row: TeepodEndpoint, open: (sealed: string) => string): VmmOptions {
  return {
    url: row.url,
    credential: credentialOf(row, open),
    agent: row.kind === 'local' ? 'vmm' : 'gateway',
  };
}

function credentialOf(row: TeepodEndpoint, open: (sealed: string) => string): VmmCredential | null {
  if (row.credential_kind === 'none' || row.sealed_credential === null) return null;
  const text = open(row.sealed_credential);
  if (row.credential_kind === 'bearer') return { type: 'bearer', token: text };
  // RFC 7617 §2: the user name has no colon, but the password may.
  const colon = text.indexOf(':');
  if (colon === -1) throw new Error('a basic credential is user:password');
  return { type: 'basic', username: text.slice(0, colon), password: text.slice(colon + 1) };
}
