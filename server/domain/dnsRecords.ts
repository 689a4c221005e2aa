/** DNS answers as rules see them; how they are asked for stands in drivers/dns. */

export type DnsType = 'A' | 'AAAA' | 'CNAME' | 'TXT' | 'CAA' | 'SOA';

export interface DnsRecord {
  /** Whose record it is: lower case ASCII, no final dot. */
  name: string;
  type: DnsType;
  /** As a zone file would have it, TXT with its parts joined and without quotes. */
  value: string;
  /** Seconds. From a cache: what is left of them. */
  ttl: number;
  caa?: CaaProperty;
  /** Of a TXT record; dstack-gateway reads the first part only. */
  parts?: readonly string[];
}

/** RFC 8659 §4.1. */
export interface CaaProperty {
  critical: boolean;
  /** Lower case. */
  tag: string;
  value: string;
}

export type DnsFailure =
  /** Nobody answered in time. */
  | 'timeout'
  /** RCODE 2: the zone's own servers do not answer, or a validating resolver refuses a bad signature. */
  | 'servfail'
  | 'refused'
  /** A CNAME leads back to a name it came from, or on and on. */
  | 'loop';

export interface DnsLookup {
  name: string;
  type: DnsType;
  outcome: 'records' | 'none' | 'no_name' | 'failed';
  failure: DnsFailure | null;
  /** Of the type asked for, at the end of the chain. */
  records: readonly DnsRecord[];
  /** The CNAME records on the way there. */
  chain: readonly DnsRecord[];
  /** Seconds until resolvers forget this answer; for a negative one the zone's own limit (RFC 2308 §5). */
  ttl: number | null;
}

/** Where the chain ends. */
export const endOf = ({ chain, name }: Pick<DnsLookup, 'chain' | 'name'>): string =>
  chain.at(-1)?.value ?? name;
