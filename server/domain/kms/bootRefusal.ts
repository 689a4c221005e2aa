interface Policy {
  code_present: boolean;
  registered: boolean;
  allow_any_device: boolean;
}

/** Returns why a contract refuses a boot, in its own words and order; null if its lists allow it. */
export function bootRefusal(
  { code_present, registered, allow_any_device }: Policy,
  allowed: { compose_hash_allowed: boolean; device_id_allowed: boolean },
): string | null {
  if (!registered) return 'App not registered';
  if (!code_present) return 'App not deployed or invalid address';
  if (!allowed.compose_hash_allowed) return 'Compose hash not allowed';
  if (!allow_any_device && !allowed.device_id_allowed) return 'Device not allowed';
  return null;
}
