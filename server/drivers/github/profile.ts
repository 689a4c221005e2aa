import { OutboundError, type Outbound } from '../net';
import { GithubError, type GithubDriver } from './index';

const MAX_BYTES = 256 * 1024;
const MAX_KEYS = 100;

/** `base_url` without trailing slash. `/<username>.keys` needs no account, unlike GitHub's API. */
export function createGithubDriver(net: Outbound, base_url: string): GithubDriver {
  const { host } = new URL(base_url);
  return {
    async publicKeys(username, signal) {
      const url = new URL(`${base_url}/${encodeURIComponent(username)}.keys`);
      const reply = await net.fetch(url, { max_bytes: MAX_BYTES, signal }).catch((error: unknown) => {
        if (!(error instanceof OutboundError)) throw error;
        throw new GithubError('unreachable', `Couldn't reach ${host}: ${error.message}`, {
          cause: error,
        });
      });
      if (reply.status === 404)
        throw new GithubError('unknown_user', `${host} has no profile “${username}”.`);
      if (reply.status !== 200)
        throw new GithubError('unreachable', `${host} returned ${reply.status} for the keys.`);
      const lines = (await reply.text()).split(/\r?\n/).map((line) => line.trim());
      return lines.filter(Boolean).slice(0, MAX_KEYS);
    },
  };
}
