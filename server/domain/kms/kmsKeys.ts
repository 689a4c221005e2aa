import { X509Certificate } from 'node:crypto';

/** The judged part of a KMS's self-description. */
export interface KmsSaid {
  ca_cert: string;
  k256_pubkey: string;
  bootstrap_info: { ca_pubkey: string } | null;
  is_dev: boolean;
  allow_any_upgrade: boolean;
  gateway_app_id: string | null;
  kms_contract_address: string | null;
  chain_id: number | null;
}

/** Pinned k256 root keys. While one replaces the other, both are valid. */
export interface KmsPins {
  k256_pubkey: string | null;
  next_k256_pubkey: string | null;
}

/** Returns the valid k256 root keys, the current one first. */
export const pinsOf = ({ k256_pubkey, next_k256_pubkey }: KmsPins): string[] =>
  [k256_pubkey, next_k256_pubkey].filter((key) => key !== null).map((key) => key.toLowerCase());

interface PinsAndSeen extends KmsPins {
  /** Key that the KMS last presented: its own claim. */
  seen_k256_pubkey: string | null;
}

/** Returns which of its pinned keys a KMS presents: the one to expect signatures from. The current one if it presents neither. */
export function presentedPin(kms: PinsAndSeen): string | null {
  const seen = kms.seen_k256_pubkey?.toLowerCase();
  return seen !== undefined && pinsOf(kms).includes(seen) ? seen : kms.k256_pubkey;
}

/** Returns which key a KMS presents; null if that is unknown or none is pinned. */
export function presentsWhich(kms: PinsAndSeen): 'current' | 'next' | 'other' | null {
  const seen = kms.seen_k256_pubkey?.toLowerCase();
  if (seen === undefined || kms.k256_pubkey === null) return null;
  if (seen === kms.k256_pubkey.toLowerCase()) return 'current';
  return seen === kms.next_k256_pubkey?.toLowerCase() ? 'next' : 'other';
}

/** The pinned values. */
export interface KmsKept extends KmsPins {
  ca_pubkey: string | null;
  chain_id: number | null;
  kms_contract_address: string | null;
  gateway_app_id: string | null;
}

export interface KmsVerdict {
  health: 'ok' | 'unpinned' | 'alarm';
  seen_k256_pubkey: string;
  /** SPKI in DER, hex; null when it doesn't report one. */
  seen_ca_pubkey: string | null;
  /** Sentences for administrators. */
  notices: string[];
}

/** The key of its root certificate; without one, the key recorded at its setup. */
function caKeyOf({ ca_cert, bootstrap_info }: KmsSaid): string | null {
  try {
    if (ca_cert.includes('BEGIN CERTIFICATE'))
      return new X509Certificate(ca_cert).publicKey.export({ type: 'spki', format: 'der' }).toString('hex');
  } catch {
    // Not a certificate; its other values can still be compared.
  }
  return bootstrap_info?.ca_pubkey ?? null;
}

const appIdOf = (id: string): string => id.toLowerCase().replace(/^0x/, '');

/**
 * Compares a KMS's self-description with the pinned values. A different key is an alarm, even if everything
 * else matches.
 */
export function judgeKms(said: KmsSaid, kept: KmsKept, { local }: { local: boolean }): KmsVerdict {
  const seen_k256_pubkey = said.k256_pubkey.toLowerCase();
  const seen_ca_pubkey = caKeyOf(said)?.toLowerCase() ?? null;
  const presents = presentsWhich({ ...kept, seen_k256_pubkey });
  const alarms: string[] = [];
  if (presents === 'other')
    alarms.push(
      `Its k256 root key differs from ${kept.next_k256_pubkey === null ? 'the pinned one' : 'both pinned ones'}. Nothing is sealed to its keys until you find out why: its data was replaced, or another service is responding in its place.`,
    );
  if (kept.ca_pubkey !== null && seen_ca_pubkey !== null && kept.ca_pubkey.toLowerCase() !== seen_ca_pubkey)
    alarms.push('Its root CA key differs from the pinned one: CVMs would measure another key provider.');
  if (kept.ca_pubkey !== null && seen_ca_pubkey === null)
    alarms.push('A root CA key is pinned, but it presents none to compare.');
  const notices: string[] = [];
  if (kept.next_k256_pubkey !== null && presents === 'current')
    notices.push(
      'It still presents its current k256 root key. Keys signed by the next one are accepted too.',
    );
  if (presents === 'next')
    notices.push(
      'It presents its next k256 root key. Once all of its instances do, and users who pinned the old one in their browsers have pinned this one, retire the old one.',
    );
  if (kept.k256_pubkey === null)
    notices.push(
      'No k256 root key is pinned, so nothing can be deployed with it. Verify the key it presents with its operator or its contract, then pin it.',
    );
  if (local) notices.push('The built-in KMS of the local teepod: no hardware protects its keys.');
  else if (said.is_dev) notices.push('It runs in development mode: its keys prove nothing.');
  if (said.allow_any_upgrade)
    notices.push(
      said.kms_contract_address === null
        ? 'Apps can run any Compose file: no contract is checked.'
        : 'It lets apps run any Compose file, whatever their contracts say.',
    );
  if (said.gateway_app_id === 'any') notices.push('It accepts any gateway (gateway_app_id is “any”).');
  if (
    kept.gateway_app_id !== null &&
    said.gateway_app_id !== null &&
    appIdOf(kept.gateway_app_id) !== appIdOf(said.gateway_app_id)
  )
    notices.push(
      `It reports ${said.gateway_app_id} as its gateway app; this server has ${kept.gateway_app_id}.`,
    );
  const contract = said.kms_contract_address?.toLowerCase() ?? null;
  if (kept.kms_contract_address !== null && kept.kms_contract_address.toLowerCase() !== contract)
    notices.push(
      `It reports ${contract ?? 'no contract'} as its contract; this server has ${kept.kms_contract_address}.`,
    );
  if (kept.kms_contract_address === null && contract !== null && !/^0x0*$/.test(contract))
    notices.push(
      `It asks contract ${contract} before it releases keys, but is registered here without a contract: apps deployed with it don't start until that contract allows them. Enter the contract and its chain.`,
    );
  if (kept.chain_id !== null && kept.chain_id !== said.chain_id)
    notices.push(`It reports ${said.chain_id ?? 'no chain'} as its chain; this server has ${kept.chain_id}.`);
  return {
    health: alarms.length > 0 ? 'alarm' : kept.k256_pubkey === null ? 'unpinned' : 'ok',
    seen_k256_pubkey,
    seen_ca_pubkey,
    notices: [...alarms, ...notices],
  };
}
