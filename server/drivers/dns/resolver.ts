import { promises } from 'node:dns';
import { DnsError, type DnsDriver } from './index';
import { gatewayOf, gatherDomain } from './gatherDomain';
import { lookup } from './lookup';

const TIMEOUT_MS = 2_000;
const TRIES = 2;

/** @param servers `ip` or `ip:port`; the system's if empty */
export function createDnsDriver(servers: readonly string[]): DnsDriver {
  // One resolver per question: `cancel` and a server marked slow would otherwise affect every caller.
  const ask = async <T>(
    name: string,
    question: (resolver: promises.Resolver) => Promise<T[]>,
  ): Promise<T[]> => {
    const resolver = new promises.Resolver({ timeout: TIMEOUT_MS, tries: TRIES });
    if (servers.length > 0) resolver.setServers(servers);
    try {
      return await question(resolver);
    } catch (error) {
      const code = error instanceof Error && 'code' in error ? String(error.code) : '';
      if (code === 'ENODATA' || code === 'ENOTFOUND') return [];
      throw new DnsError(
        code === 'ETIMEOUT' || code === 'ECONNREFUSED'
          ? `DNS didn't respond for ${name}.`
          : `DNS returned ${code === '' ? 'an error' : code.replace(/^E/, '')} for ${name}.`,
        { cause: error },
      );
    }
  };
  const look: Pick<DnsDriver, 'lookup'> = {
    lookup: (name, type, signal) => lookup(servers, name, type, signal),
  };
  return {
    ...look,
    gather: (name, base_domains, signal) => gatherDomain(look, name, base_domains, signal),
    gatewayAddresses: async (base_domain, signal) => (await gatewayOf(look, base_domain, signal)).addresses,
    resolveTxt: async (name) =>
      (await ask(name, (dns) => dns.resolveTxt(name))).map((parts) => parts.join('')),
    resolveCname: async (name) =>
      (await ask(name, (dns) => dns.resolveCname(name))).map((target) =>
        target.replace(/\.$/, '').toLowerCase(),
      ),
    resolveAddresses: async (name) =>
      (
        await Promise.all([ask(name, (dns) => dns.resolve4(name)), ask(name, (dns) => dns.resolve6(name))])
      ).flat(),
  };
}
