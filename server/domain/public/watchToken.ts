import type { Seal } from '../core/seal';

const PURPOSE = 'app_watch';

/** The content of the links in a watcher's mail: the watch and a signature. It is valid as long as the watch exists. */
export const watchToken = (seal: Seal, public_id: string): string =>
  `${public_id}-${seal.sign(PURPOSE, public_id)}`;

/** Stands for an address that stopped watching an app, which itself is forgotten. */
export const stoppedHash = (seal: Seal, { app_id, email }: { app_id: string; email: string }): string =>
  seal.sign('app_watch_stopped', `${app_id} ${email.toLowerCase()}`);

/** Returns the watch's public ID; null if the signature isn't this server's. */
export function readWatchToken(seal: Seal, token: string): string | null {
  const [public_id = '', ...mac] = token.split('-');
  return seal.verify(PURPOSE, public_id, mac.join('-')) ? public_id : null;
}
