/** Returns ready-to-paste commands for the published CLI and curl. `publicUrl` is this server's address. */
export function snippets(publicUrl: string, token: string): { login: string; curl: string } {
  const api = `${publicUrl.replace(/\/$/, '')}/api/v1`;
  return {
    login: `phala login ${token} --url ${api}`,
    curl: `curl -H "X-API-Key: ${token}" ${api}/auth/me`,
  };
}
