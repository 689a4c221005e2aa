/** Returns hex digits in lowercase, without prefixes added by clients. */
export const bareHex = (text: string): string =>
  text.toLowerCase().replace(/^(?:app_|instance_|sha256:)?(?:0x)?/, '');

/**
 * Returns a hash or device ID in the form contracts store: 0x and 64 lowercase digits. Shorter values are padded on
 * the right, like in the published CLI. Null if it isn't hex or is too long.
 */
export function bytes32(text: string): `0x${string}` | null {
  const bare = bareHex(text);
  return /^[0-9a-f]{1,64}$/.test(bare) ? `0x${bare.padEnd(64, '0')}` : null;
}
