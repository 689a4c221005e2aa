import type { DomainFacts } from '../../domain/network/dnsFacts';
import type { DnsLookup, DnsType } from '../../domain/network/dnsRecords';
import type { DomainName } from '../../domain/network/domains';

/** No reliable reply; unlike a name without such a record. */
export class DnsError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'DnsError';
  }
}

/** Looks up records as the world sees them. A name without such records gives an empty list. Throws DnsError. */
export interface DnsDriver {
  /** Each record with its parts joined (RFC 7208 §3.3). */
  resolveTxt(name: string): Promise<string[]>;
  /** Targets without the final dot, in lowercase. */
  resolveCname(name: string): Promise<string[]>;
  /** A and AAAA. */
  resolveAddresses(name: string): Promise<string[]>;
  /** Everything known about one question; failures are part of the result. Throws only if `signal` aborts. */
  lookup(name: string, type: DnsType, signal?: AbortSignal): Promise<DnsLookup>;
  /** Runs all queries about a domain that should point to one of these gateways, in parallel. */
  gather(name: DomainName, base_domains: readonly string[], signal?: AbortSignal): Promise<DomainFacts>;
  /** A and AAAA of the gateway; none if the lookup failed. */
  gatewayAddresses(base_domain: string, signal?: AbortSignal): Promise<readonly string[]>;
}
