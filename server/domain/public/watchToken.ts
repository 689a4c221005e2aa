import type { Seal } from '../core/seal';
import { readSignedToken, signedToken } from '../core/signedToken';

const PURPOSE = 'app_watch';

/**
 * Returns the content of the links in a watcher's mail: the watch and a signature. Valid for as long as the
 * watch exists.
 */
export const watchToken = (seal: Seal, public_id: string): string =>
  signedToken(seal, PURPOSE, public_id, '-');

const STOPPED_PURPOSE = 'app_watch_stopped';

interface Stopped {
  app_id: string;
  email: string;
}

const stoppedSubject = ({ app_id, email }: Stopped) => `${app_id} ${email.toLowerCase()}`;

/** Stands for an address that stopped watching an app; the address itself is deleted. */
export const stoppedHash = (seal: Seal, stopped: Stopped): string =>
  seal.sign(STOPPED_PURPOSE, stoppedSubject(stopped));

/** The hashes that may stand for the address: two during a rotation of the secret. */
export const stoppedHashes = (seal: Seal, stopped: Stopped): string[] =>
  seal.accepted(STOPPED_PURPOSE, stoppedSubject(stopped));

/** Returns the watch's public ID; null if the signature isn't this server's. */
export const readWatchToken = (seal: Seal, token: string): string | null =>
  readSignedToken(seal, PURPOSE, token, '-');
