/** A boot that requests keys from a KMS, as the KMS measured it. Hex is lowercase, of full length and without 0x. */
export interface MeasuredBoot {
  subject: 'app' | 'kms';
  app_id: string;
  compose_hash: string;
  instance_id: string;
  device_id: string;
  mr_aggregated: string;
  mr_system: string;
  os_image_hash: string;
  tee_variant: string | null;
  tcb_status: string;
  advisory_ids: readonly string[];
}

/** Administrators' rules for a KMS without a contract. */
export interface KmsRule {
  tcb_statuses: readonly string[];
  advisory_ids: readonly string[];
  aggregated_mrs: readonly string[];
}

/** The expected boot of one of an app's CVMs. Null: unknown to this server. */
export interface ExpectedBoot {
  compose_hash: string;
  device_id: string | null;
  os_image_hash: string | null;
}

/**
 * Returns why a KMS without a contract must not give an app its keys, in the wording and order of dstack's
 * contracts; null if it may.
 * @param expected boots of the app's CVMs; empty if this server runs none with this KMS
 */
export function appBootRefusal(
  boot: Pick<MeasuredBoot, 'compose_hash' | 'device_id' | 'os_image_hash' | 'tcb_status' | 'advisory_ids'>,
  expected: readonly ExpectedBoot[],
  rule: KmsRule,
): string | null {
  if (expected.length === 0) return 'App not registered';
  const withImage = expected.filter((one) => same(one.os_image_hash, boot.os_image_hash));
  if (withImage.length === 0)
    return expected.some(({ os_image_hash }) => os_image_hash === null)
      ? "OS image is not allowed: the hash of this app's OS image is not known, or not confirmed"
      : 'OS image is not allowed';
  const platform = platformRefusal(boot, rule);
  if (platform !== null) return platform;
  const withHash = withImage.filter((one) => same(one.compose_hash, boot.compose_hash));
  if (withHash.length === 0) return 'Compose hash not allowed';
  return withHash.some((one) => same(one.device_id, boot.device_id)) ? null : 'Device not allowed';
}

/** A boot in question, before it happens. */
export interface ForeseenBoot {
  compose_hash: string;
  /** Null: any of the app's machines. */
  device_id: string | null;
  /** Null: any of the app's images. */
  os_image_hash: string | null;
}

/**
 * Returns how a KMS without a contract would decide about a boot on up-to-date hardware.
 * @param expected as for `appBootRefusal`
 */
export function foreseenDecision(
  { compose_hash, device_id, os_image_hash }: ForeseenBoot,
  expected: readonly ExpectedBoot[],
  rule: KmsRule,
): { compose_hash_allowed: boolean; device_id_allowed: boolean; refusal: string | null } {
  const asked = {
    compose_hash: bare(compose_hash),
    device_id: device_id === null ? null : bare(device_id),
    os_image_hash: os_image_hash === null ? null : bare(os_image_hash),
  };
  const isMeant = (one: ExpectedBoot) =>
    same(one.compose_hash, asked.compose_hash) &&
    same(one.device_id, asked.device_id ?? bare(one.device_id ?? '')) &&
    same(one.os_image_hash, asked.os_image_hash ?? bare(one.os_image_hash ?? ''));
  const meant = expected.find(isMeant) ?? expected[0];
  const device = asked.device_id ?? bare(meant?.device_id ?? '');
  const boot = {
    compose_hash: asked.compose_hash,
    device_id: device,
    os_image_hash: asked.os_image_hash ?? bare(meant?.os_image_hash ?? ''),
    tcb_status: 'UpToDate',
    advisory_ids: [],
  };
  return {
    compose_hash_allowed: expected.some((one) => same(one.compose_hash, asked.compose_hash)),
    device_id_allowed: expected.some((one) => same(one.device_id, device)),
    refusal: appBootRefusal(boot, expected, rule),
  };
}

/**
 * Returns why a KMS without a contract must not give its root keys to another KMS; null if it may.
 * @param known images and machines of this server
 */
export function kmsBootRefusal(
  boot: MeasuredBoot,
  known: { is_image_known: boolean; is_device_known: boolean },
  rule: KmsRule,
): string | null {
  const platform = platformRefusal(boot, rule);
  if (platform !== null) return platform;
  if (!known.is_image_known) return 'OS image is not allowed';
  if (!rule.aggregated_mrs.some((mr) => same(mr, boot.mr_aggregated))) return 'Aggregated MR not allowed';
  return known.is_device_known ? null : 'KMS is not allowed to boot on this device';
}

function platformRefusal(
  { tcb_status, advisory_ids }: Pick<MeasuredBoot, 'tcb_status' | 'advisory_ids'>,
  rule: KmsRule,
): string | null {
  if (!rule.tcb_statuses.includes(tcb_status)) return 'TCB status is not up to date';
  const advisory = advisory_ids.find((id) => !rule.advisory_ids.includes(id));
  return advisory === undefined ? null : `Advisory not allowed: ${advisory}`;
}

/** Zero stands for an unmeasured value, so it equals nothing. */
export const isMeasured = (hash: string): boolean => /[^0]/.test(hash);

const bare = (hash: string): string => hash.toLowerCase().replace(/^0x/, '');

const same = (known: string | null, measured: string): boolean =>
  known !== null && bare(known) === measured && isMeasured(measured);
