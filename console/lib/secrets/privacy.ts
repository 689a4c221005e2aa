import type { AvailableTeepod } from '../../../generated/api/types.gen';

/** Where a CVM runs or may run: in a TEE, on the local teepod (no hardware TEE), or not known yet. */
export type SecretHost = 'tee' | 'local' | 'either';

const READERS: Readonly<Record<SecretHost, string>> = {
  tee: 'Only the CVM and the holder of its KMS root keys can read them.',
  local: 'The local teepod has no hardware TEE, so the machine’s operator can read them.',
  either:
    'Only the CVM and the holder of its KMS root keys can read them, except on the local teepod, where the machine’s operator can too.',
};

/** Returns who can read an app's secrets, consistent with the KMS tab. */
export const secretReaders = (host: SecretHost): string => READERS[host];

/** Returns where a CVM with this placement (`any`, `region:…` or `teepod:…`) may run. */
export function secretHostOf(
  nodes: readonly Pick<AvailableTeepod, 'teepod_id' | 'region_identifier' | 'local'>[],
  place: string,
): SecretHost {
  const eligible = nodes.filter(
    ({ teepod_id, region_identifier }) =>
      place === 'any' || place === `teepod:${teepod_id}` || place === `region:${region_identifier ?? ''}`,
  );
  if (eligible.length === 0) return 'either';
  if (eligible.every(({ local }) => local)) return 'local';
  return eligible.some(({ local }) => local) ? 'either' : 'tee';
}

export const secretHostOfCvm = ({ trust }: { trust: string }): SecretHost =>
  trust === 'simulated' ? 'local' : 'tee';
