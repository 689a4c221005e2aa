/** Suggests an unused name for a passkey of this browser: "Chrome on Linux", "Chrome on Linux 2". */
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

/** Returns why the browser created no passkey (WebAuthn Level 3 §5.1.3); null if the user aborted. */
export function ceremonyFault(error: unknown): string | null {
  const name = error instanceof Error ? error.name : '';
  if (name === 'AbortError') return null;
  if (name === 'NotAllowedError') return 'Canceled or timed out. No passkey was added.';
  if (name === 'InvalidStateError') return 'This device already has a passkey for your account.';
  if (name === 'SecurityError')
    return 'Passkeys work only on HTTPS or localhost, at the console’s own address.';
  return 'This device couldn’t create a passkey. Update it, or try another device.';
}
