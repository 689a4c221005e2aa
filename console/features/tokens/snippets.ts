/** Ready to paste: the published command line, and plain HTTP. `publicUrl` is the server's own address. */
export function snippets(publicUrl: string, token: string): { login: string; curl: string } {
  const api = `${publicUrl.replace(/\/$/, '')}/api/v1`;
  return {
    login: `phala login ${token} --url ${api}`,
    curl: `curl -H "X-API-Key: ${token}" ${api}/auth/me`,
  };
}
