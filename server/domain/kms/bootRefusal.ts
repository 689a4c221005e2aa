interface Policy {
  code_present: boolean;
  registered: boolean;
  allow_any_device: boolean;
}

const NOT_REGISTERED = 'App not registered';
const NOT_DEPLOYED = 'App not deployed or invalid address';

/**
 * Whether a contract refuses an app altogether, because the app has none. @param reason as the contract gives
 * it
 */
export const isWithoutContract = (reason: string | null): boolean =>
  reason === NOT_REGISTERED || reason === NOT_DEPLOYED;

/** Returns why a contract refuses a boot, in its own words and order; null if its lists allow it. */
export function bootRefusal(
  { code_present, registered, allow_any_device }: Policy,
  allowed: { compose_hash_allowed: boolean; device_id_allowed: boolean },
): string | null {
  if (!registered) return NOT_REGISTERED;
  if (!code_present) return NOT_DEPLOYED;
  if (!allowed.compose_hash_allowed) return 'Compose hash not allowed';
  if (!allow_any_device && !allowed.device_id_allowed) return 'Device not allowed';
  return null;
}

const NOBODY = /^0x0*$/;

/**
 * Whether a contract's ownership was renounced, so that its lists never change again. A contract that names no
 * owner may be changed in unknown ways.
 */
export const isRenounced = ({
  owner,
  pending_owner,
}: {
  owner: string | null;
  /** Null for contracts without a second step. */
  pending_owner: string | null;
}): boolean => owner !== null && NOBODY.test(owner) && (pending_owner === null || NOBODY.test(pending_owner));
