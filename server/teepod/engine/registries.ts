/**
 * Restricts the registries images are pulled from. The engine sits inside the operator's network and resolves
 * names itself, so a tenant's image name must not choose where it connects: only listed registries are used.
 * Their operators are trusted with what a registry can send an engine to, such as its token realm and
 * redirects.
 */
import { lookup as dnsLookup } from 'node:dns/promises';
import { request } from 'node:https';
import { isPublicAddress } from './publicAddress';

export const DEFAULT_REGISTRIES: readonly string[] = [
  'docker.io',
  'ghcr.io',
  'quay.io',
  'gcr.io',
  '*.gcr.io',
  '*.pkg.dev',
  'public.ecr.aws',
  'mcr.microsoft.com',
  'registry.gitlab.com',
  'registry.k8s.io',
  'nvcr.io',
];

/** `host`, `host:port`, `*.domain`, or `*` for every registry with a public name and address. */
export function isRegistryEntry(entry: string): boolean {
  return entry === '*' || /^(?:\*\.)?[a-z0-9](?:[a-z0-9.-]*[a-z0-9])?(?::\d{1,5})?$/.test(entry);
}

/**
 * Returns the registry host of an image reference, by the engine's rules: `nginx` and `library/nginx` are on
 * docker.io.
 */
export function registryOf(image: string): string {
  const slash = image.indexOf('/');
  const first = slash < 0 ? '' : image.slice(0, slash);
  const isHost = /[.:]/.test(first) || first === 'localhost' || first !== first.toLowerCase();
  const host = isHost ? first.toLowerCase().replace(/:443$/, '') : 'docker.io';
  return ['index.docker.io', 'registry-1.docker.io'].includes(host) ? 'docker.io' : host;
}

export interface Network {
  /** Returns every address of a name. */
  addresses(name: string): Promise<string[]>;
  /** Every `WWW-Authenticate` header of `https://name/v2/` at this address. */
  challenges(name: string, address: string): Promise<string[]>;
}

export class Registries {
  constructor(
    readonly allowed: readonly string[],
    readonly network: Network = internet,
  ) {}

  /**
   * Returns why the image may not be pulled; undefined if it may. Reveals nothing learned from the network.
   */
  async refusal(image: string): Promise<string | undefined> {
    const registry = registryOf(image);
    const named = this.allowed.some(
      (entry) => entry === registry || (entry.startsWith('*.') && registry.endsWith(entry.slice(1))),
    );
    if (named) return undefined;
    const refusal = `image ${image} can't be pulled: its registry is not allowed on this host`;
    if (!this.allowed.includes('*')) {
      const known = this.allowed.slice(0, 12).join(', ');
      return `${refusal}. Allowed: ${known || 'none'}. The operator sets this list with LOCAL_TEEPOD_REGISTRIES.`;
    }
    return (await this.#isPublic(registry)) ? undefined : `${refusal}. Use a registry with a public address.`;
  }

  /** Checks the name, every address, and where it sends the engine for a token. */
  async #isPublic(registry: string): Promise<boolean> {
    try {
      const address = await this.#publicAddress(registry);
      if (address === undefined) return false;
      // The engine reads each header as a separate challenge. A Basic realm is only a title.
      const bearer = (await this.network.challenges(registry, address)).filter((one) =>
        /^\s*bearer/i.test(one),
      );
      for (const [, realm = ''] of bearer.flatMap((one) => [...one.matchAll(/realm\s*=\s*"?([^",\s]+)/gi)])) {
        if (!URL.canParse(realm)) return false;
        const url = new URL(realm);
        if (url.protocol !== 'https:' || (await this.#publicAddress(url.host)) === undefined) return false;
      }
      return true;
    } catch {
      return false;
    }
  }

  async #publicAddress(name: string): Promise<string | undefined> {
    if (!isPublicName(name)) return undefined;
    const addresses = await this.network.addresses(name);
    return addresses.every(isPublicAddress) ? addresses[0] : undefined;
  }
}

/**
 * At least two labels, no port, not a number in any notation, and not a suffix that networks use for
 * themselves.
 */
function isPublicName(host: string): boolean {
  return (
    /^(?=.{1,253}$)(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z](?:[a-z0-9-]{0,61}[a-z0-9])$/.test(host) &&
    !/\.(?:localhost|local|internal|intranet|private|corp|home|lan|test|invalid|example|onion|arpa)$/.test(
      host,
    )
  );
}

const TIMEOUT_MS = 10_000;

const internet: Network = {
  addresses: async (name) => (await dnsLookup(name, { all: true })).map(({ address }) => address),
  challenges: (name, address) =>
    new Promise((resolve, reject) => {
      const family = address.includes(':') ? 6 : 4;
      const req = request(
        {
          host: name,
          path: '/v2/',
          agent: false,
          signal: AbortSignal.timeout(TIMEOUT_MS),
          // Connects to the checked address only.
          lookup: (_name, options, done) =>
            options.all ? done(null, [{ address, family }]) : done(null, address, family),
        },
        (res) => {
          res.destroy();
          resolve(res.headersDistinct['www-authenticate'] ?? []);
        },
      );
      req.on('error', reject);
      req.end();
    }),
};
