/** Why this is no public key, as far as its shape tells; null when it may be one. The server reads it properly. */
export function sshKeyFault(text: string): string | null {
  const key = text.trim();
  if (key === '') return 'Paste a public key.';
  if (/PRIVATE KEY/.test(key))
    return 'This is a private key. Never give it away: paste the file that ends in .pub.';
  if (/\n/.test(key)) return 'One key at a time: it is a single line.';
  if (!/^(ssh-|ecdsa-|sk-)[\w@.-]+ [A-Za-z0-9+/]{32,}={0,3}( .*)?$/.test(key))
    return 'This is not a public key in OpenSSH’s format. It begins with its kind, for example ssh-ed25519.';
  return null;
}

/** What follows the key on its line: usually person@machine. */
export const commentOf = (key: string): string => key.trim().split(/\s+/).slice(2).join(' ').slice(0, 100);
