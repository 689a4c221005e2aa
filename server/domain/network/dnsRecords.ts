/** DNS answers as the rules see them; drivers/dns performs the queries. */

export type DnsType = 'A' | 'AAAA' | 'CNAME' | 'TXT' | 'CAA' | 'SOA';

export interface DnsRecord {
  /** The record's owner name: lowercase ASCII, no final dot. */
  name: string;
  type: DnsType;
  /** In zone-file form; TXT with its parts joined and without quotes. */
  value: string;
  /** Seconds; from a cache, the remainder. */
  ttl: number;
  caa?: CaaProperty;
  /** Of a TXT record; dstack-gateway reads only the first part. */
  parts?: readonly string[];
}

/** RFC 8659 §4.1. */
export interface CaaProperty {
  critical: boolean;
  /** Lowercase. */
  tag: string;
  value: string;
}

export type DnsFailure =
  /** No response in time. */
  | 'timeout'
  /** RCODE 2: the zone's own servers don't respond, or a validating resolver rejects a bad signature. */
  | 'servfail'
  | 'refused'
  /** A CNAME chain that loops or is too long. */
  | 'loop';

export interface DnsLookup {
  name: string;
  type: DnsType;
  outcome: 'records' | 'none' | 'no_name' | 'failed';
  failure: DnsFailure | null;
  /** Of the requested type, at the end of the chain. */
  records: readonly DnsRecord[];
  /** The CNAME records on the way there. */
  chain: readonly DnsRecord[];
  /** Seconds until resolvers drop this answer; for a negative one the zone's own limit (RFC 2308 §5). */
  ttl: number | null;
}
