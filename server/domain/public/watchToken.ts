import type { Seal } from '../core/seal';
import { readSignedToken, signedToken } from '../core/signedToken';

const PURPOSE = 'app_watch';

/** The content of the links in a watcher's mail: the watch and a signature. It is valid as long as the watch exists. */
export const watchToken = (seal: Seal, public_id: string): string =>
  signedToken(seal, PURPOSE, public_id, '-');

/** Stands for an address that stopped watching an app, which itself is forgotten. */
export const stoppedHash = (seal: Seal, { app_id, email }: { app_id: string; email: string }): string =>
  seal.sign('app_watch_stopped', `${app_id} ${email.toLowerCase()}`);

/** Returns the watch's public ID; null if the signature isn't this server's. */
export const readWatchToken = (seal: Seal, token: string): string | null =>
  readSignedToken(seal, PURPOSE, token, '-');
