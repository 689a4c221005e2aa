import type { DnsFailure, DnsLookup, DnsRecord } from './dnsRecords';
import type { DomainName } from './domains';

/** What a diagnosis is made from and of: dnsDiagnosis.ts puts it together. */

/** What DNS says about one domain, as drivers/dns gathers it. */
export interface DomainFacts {
  name: DomainName;
  at: Date;
  a: DnsLookup;
  aaaa: DnsLookup;
  /** At the domain itself; tells whether it begins a zone. Null for a wildcard, which never does. */
  soa: DnsLookup | null;
  /** TXT at the name the gateway reads. */
  app: DnsLookup;
  /** TXT at the name it read in former versions; null for a wildcard. */
  former: DnsLookup | null;
  /** TXT for all names of the parent, which the gateway falls back to; null where there is none to fall back to. */
  fallback: DnsLookup | null;
  /** CAA from the domain upwards, ending with the first that has any (RFC 8659 §3). */
  caa: readonly DnsLookup[];
  gateways: readonly GatewayFacts[];
}

export interface GatewayFacts {
  base_domain: string;
  /** Empty when they could not be looked up. */
  addresses: readonly string[];
}

export interface Expected {
  /** 40 hex digits each. The id the record has to name: the app's, or that of one instance. */
  target: string;
  app_id: string;
  instance_ids: readonly string[];
  port: number;
  /** Why the gateway leads no domains to this app; null when it does. */
  unserved: string | null;
}

export type CheckId = 'app' | 'address' | 'issuer' | 'gateway';
export type CheckState = 'passed' | 'warning' | 'failed' | 'unknown' | 'skipped';

export interface FoundRecord {
  type: DnsRecord['type'];
  name: string;
  value: string;
  /** Seconds. */
  ttl: number;
  right: boolean;
}

export interface DomainCheck {
  id: CheckId;
  state: CheckState;
  message: string;
  what_to_do: string | null;
  wanted: string[];
  found: FoundRecord[];
  /** Until then resolvers may go on with what was found, even if it is corrected now. */
  remembered_until: Date | null;
}

/** Which failure, in a sentence about the name. */
export function failureText(name: string, failure: DnsFailure | null): string {
  switch (failure) {
    case 'servfail':
      return `DNS answers for ${name} with an error (SERVFAIL): the servers of its zone do not answer, or their signatures (DNSSEC) are broken.`;
    case 'refused':
      return `The resolver refuses to answer for ${name}.`;
    case 'loop':
      return `The CNAME records of ${name} lead in a circle, or on over more than eight names.`;
    default:
      return `DNS did not answer for ${name} in time.`;
  }
}

export const found = (records: readonly DnsRecord[], right: (record: DnsRecord) => boolean): FoundRecord[] =>
  records.slice(0, 20).map((record) => ({
    type: record.type,
    name: record.name.slice(0, 255),
    value: record.value.slice(0, 1000),
    ttl: record.ttl,
    right: right(record),
  }));

export const after = (at: Date, seconds: number | null): Date | null =>
  seconds === null ? null : new Date(at.getTime() + seconds * 1000);
