import type { DnsLookup } from '../../domain/network/dnsRecords';
import type { DomainFacts, GatewayFacts } from '../../domain/network/dnsFacts';
import {
  addressRecordName,
  APP_ADDRESS_FORMER,
  APP_ADDRESS_WILDCARD,
  gatewayAlias,
  type DomainName,
} from '../../domain/network/domains';
import type { DnsDriver } from './index';

/** Gateways per app; more hosts than that share theirs. */
const MAX_GATEWAYS = 4;

/** Runs all DNS queries about a domain in parallel. Throws only if `signal` aborts. */
export async function gatherDomain(
  dns: Pick<DnsDriver, 'lookup'>,
  name: DomainName,
  base_domains: readonly string[],
  signal?: AbortSignal,
): Promise<DomainFacts> {
  const { domain, base, wildcard } = name;
  const parent = base.slice(base.indexOf('.') + 1);
  const [a, aaaa, soa, app, former, fallback, caa, gateways] = await Promise.all([
    dns.lookup(domain, 'A', signal),
    dns.lookup(domain, 'AAAA', signal),
    wildcard ? null : dns.lookup(base, 'SOA', signal),
    dns.lookup(addressRecordName(name), 'TXT', signal),
    wildcard ? null : dns.lookup(`${APP_ADDRESS_FORMER}.${base}`, 'TXT', signal),
    wildcard || !parent.includes('.') ? null : dns.lookup(`${APP_ADDRESS_WILDCARD}.${parent}`, 'TXT', signal),
    climb(dns, base, signal),
    Promise.all(base_domains.slice(0, MAX_GATEWAYS).map((one) => gatewayOf(dns, one, signal))),
  ]);
  return { name, at: new Date(), a, aaaa, soa, app, former, fallback, caa, gateways };
}

/**
 * RFC 8659 §3: the first set of CAA records from the domain upwards. A name with a CNAME has its target's records,
 * whose parents don't count. A failed query ends the search, because its result is unknown.
 */
async function climb(
  dns: Pick<DnsDriver, 'lookup'>,
  base: string,
  signal: AbortSignal | undefined,
): Promise<DnsLookup[]> {
  const lookups: DnsLookup[] = [];
  const labels = base.split('.');
  for (let from = 0; from < labels.length; from += 1) {
    // oxlint-disable-next-line no-await-in-loop -- each step depends on the one before
    const found = await dns.lookup(labels.slice(from).join('.'), 'CAA', signal);
    lookups.push(found);
    if (found.outcome === 'records' || found.outcome === 'failed') break;
  }
  return lookups;
}

export async function gatewayOf(
  dns: Pick<DnsDriver, 'lookup'>,
  base_domain: string,
  signal?: AbortSignal,
): Promise<GatewayFacts> {
  const host = gatewayAlias(base_domain);
  const [a, aaaa] = await Promise.all([dns.lookup(host, 'A', signal), dns.lookup(host, 'AAAA', signal)]);
  return { base_domain, addresses: [...a.records, ...aaaa.records].map(({ value }) => value) };
}
