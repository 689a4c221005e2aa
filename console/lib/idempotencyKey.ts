/** Returns a key under which the server performs a request only once, however often it is repeated. */
export function newIdempotencyKey(): string {
  // crypto.randomUUID exists only on HTTPS and localhost.
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
