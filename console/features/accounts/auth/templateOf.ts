/** Returns the ID of the template chosen before sign-in, from the address to open afterward. */
export function templateOf(next: string): string | null {
  const [path, query = ''] = next.split(/[?#]/);
  const id = path === '/launch' && next.includes('?') ? new URLSearchParams(query).get('template') : null;
  return id !== null && /^[\w-]{1,80}$/.test(id) ? id : null;
}
