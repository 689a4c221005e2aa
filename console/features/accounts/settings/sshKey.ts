import type { GithubKeysImport, SshKey } from '../../../../generated/api/types.gen';
import { counted } from '../../../lib/texts/count';
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

/** "GitHub (alice)" for an imported key, "Manual" for one that the user added. */
export function sourceOf({ source, key_metadata }: Pick<SshKey, 'source' | 'key_metadata'>): string {
  if (source === 'manual') return 'Manual';
  const name = key_metadata?.['github_username'];
  return typeof name === 'string' ? `GitHub (${name})` : 'GitHub';
}

/** Returns why the text can't be a GitHub username; null otherwise. */
export function githubNameFault(text: string): string | null {
  const name = text.trim();
  if (name === '') return 'Enter a GitHub username.';
  if (!/^[A-Za-z0-9]+(-[A-Za-z0-9]+)*$/.test(name))
    return 'A GitHub username has only letters, digits and single hyphens between them.';
  return null;
}

/** "Added 2 keys from alice. You already had 1." */
export function importText(result: GithubKeysImport): string {
  const { github_username, keys_added, keys_skipped, errors } = result;
  if (keys_added + keys_skipped + errors.length === 0)
    return `${github_username} has no public keys on GitHub.`;
  const added =
    keys_added === 0
      ? 'No keys were added.'
      : `Added ${counted(keys_added, ['key', 'keys'])} from ${github_username}.`;
  return keys_skipped === 0 ? added : `${added} You already had ${keys_skipped}.`;
}
