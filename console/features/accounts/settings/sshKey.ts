import { cutWhole } from '../../../lib/texts/cutWhole';

/** Returns why the text can't be a public key, judging by its shape; null otherwise. The server parses it in full. */
export function sshKeyFault(text: string): string | null {
  const key = text.trim();
  if (key === '') return 'Paste a public key.';
  if (/PRIVATE KEY/.test(key))
    return 'This is a private key. Never share it. Paste the file that ends in .pub.';
  if (/\n/.test(key)) return 'Add one key at a time. A key is a single line.';
  if (!/^(ssh-|ecdsa-|sk-)[\w@.-]+ [A-Za-z0-9+/]{32,}={0,3}( .*)?$/.test(key))
    return 'Not an OpenSSH public key. It starts with its type, for example ssh-ed25519.';
  return null;
}

/** Returns the comment after the key, usually user@host. */
export const commentOf = (key: string): string => cutWhole(key.trim().split(/\s+/).slice(2).join(' '), 100);
