/** A name for the passkey made in this browser, of those not taken yet: "Chrome on Linux", "Chrome on Linux 2". */
export function suggestName(userAgent: string, taken: readonly string[]): string {
  const browser = /Edg\//.test(userAgent)
    ? 'Edge'
    : /Firefox\//.test(userAgent)
      ? 'Firefox'
      : /Chrome\//.test(userAgent)
        ? 'Chrome'
        : /Safari\//.test(userAgent)
          ? 'Safari'
          : 'Browser';
  const system = /Android/.test(userAgent)
    ? 'Android'
    : /iPhone/.test(userAgent)
      ? 'iPhone'
      : /iPad/.test(userAgent)
        ? 'iPad'
        : /Windows/.test(userAgent)
          ? 'Windows'
          : /Mac OS X/.test(userAgent)
            ? 'Mac'
            : /Linux|X11/.test(userAgent)
              ? 'Linux'
              : '';
  const name = system === '' ? browser : `${browser} on ${system}`;
  if (!taken.includes(name)) return name;
  let n = 2;
  while (taken.includes(`${name} ${n}`)) n += 1;
  return `${name} ${n}`;
}

/** Why the browser made no passkey (WebAuthn Level 3 §5.1.3); null when the person only changed their mind. */
export function ceremonyFault(error: unknown): string | null {
  const name = error instanceof Error ? error.name : '';
  if (name === 'AbortError') return null;
  if (name === 'NotAllowedError') return 'It was cancelled, or took too long. Nothing was added.';
  if (name === 'InvalidStateError') return 'This device has a passkey for your account already.';
  if (name === 'SecurityError')
    return 'Passkeys work on https and localhost only, at the console’s own address.';
  return 'The device could not make a passkey. Try another one, or update its system.';
}
