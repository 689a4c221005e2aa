import type { DomainFacts } from '../../domain/dnsFacts';
import type { DnsLookup, DnsType } from '../../domain/dnsRecords';
import type { DomainName } from '../../domain/domains';

/** No answer that could be relied on: not the same as a name that has no such record. */
export class DnsError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'DnsError';
  }
}

/** Looks records up as the world sees them. A name without such records gives an empty list. Throws DnsError. */
export interface DnsDriver {
  /** Each record with its parts joined (RFC 7208 §3.3). */
  resolveTxt(name: string): Promise<string[]>;
  /** Targets without the final dot, lower case. */
  resolveCname(name: string): Promise<string[]>;
  /** A and AAAA. */
  resolveAddresses(name: string): Promise<string[]>;
  /** All that can be said of one question; what went wrong is part of the answer. Throws only when `signal` aborts. */
  lookup(name: string, type: DnsType, signal?: AbortSignal): Promise<DnsLookup>;
  /** Everything DNS has to say about a domain that is to lead to one of these gateways, asked at once. */
  gather(name: DomainName, base_domains: readonly string[], signal?: AbortSignal): Promise<DomainFacts>;
  /** A and AAAA of the gateway; none when they could not be looked up. */
  gatewayAddresses(base_domain: string, signal?: AbortSignal): Promise<readonly string[]>;
}
