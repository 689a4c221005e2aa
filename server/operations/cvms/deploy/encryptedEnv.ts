import { Problem } from '../../../domain/core/problem';

/** eph_pub(32) ‖ iv(12) ‖ tag(16): anything shorter can't be decrypted. */
const SMALLEST = 60;
/** Maximum that guests accept. */
const MAX_BYTES = 256 * 1024;

/**
 * Returns lowercase hex without prefix, or null for none. Only the length can be checked here, since only the
 * guest can decrypt it.
 */
export function checkedEnv(hex: string | null | undefined): string | null {
  if (!hex) return null;
  const clean = hex.toLowerCase().replace(/^0x/, '');
  const bytes = clean.length / 2;
  if (bytes >= SMALLEST && bytes <= MAX_BYTES) return clean;
  const message =
    bytes < SMALLEST
      ? `encrypted_env is ${bytes} bytes long; a sealed environment is at least ${SMALLEST}.`
      : `encrypted_env is ${bytes} bytes long; guests accept at most ${MAX_BYTES}.`;
  throw new Problem('INVALID_REQUEST', {
    message,
    details: [{ field: 'encrypted_env', message }],
    suggestions: [
      'Seal {"env":[…]} to the app\'s public key: ephemeral key, IV, ciphertext with tag, in hex.',
    ],
  });
}
