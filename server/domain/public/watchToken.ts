import type { Seal } from '../core/seal';
import { readSignedToken, signedToken } from '../core/signedToken';

const PURPOSE = 'app_watch';

/** The content of the links in a watcher's mail: the watch and a signature. It is valid as long as the watch exists. */
export const watchToken = (seal: Seal, public_id: string): string =>
  signedToken(seal, PURPOSE, public_id, '-');

/** Returns the watch's public ID; null if the signature isn't this server's. */
export const readWatchToken = (seal: Seal, token: string): string | null =>
  readSignedToken(seal, PURPOSE, token, '-');
