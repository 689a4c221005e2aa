import type { DnsFailure, DnsLookup, DnsRecord } from './dnsRecords';
import type { DomainName } from './domains';

/** The input and output of a diagnosis; dnsDiagnosis.ts combines them. */

/** DNS data of one domain, as drivers/dns gathers it. */
export interface DomainFacts {
  name: DomainName;
  at: Date;
  a: DnsLookup;
  aaaa: DnsLookup;
  /** At the domain itself; shows whether it is a zone apex. Null for a wildcard, which never is. */
  soa: DnsLookup | null;
  /** TXT at the name the gateway reads. */
  app: DnsLookup;
  /** TXT at the name earlier gateway versions read; null for a wildcard. */
  former: DnsLookup | null;
  /** The parent's wildcard TXT, the gateway's fallback; null where there is none. */
  fallback: DnsLookup | null;
  /** CAA from the domain upwards, ending with the first that has any (RFC 8659 §3). */
  caa: readonly DnsLookup[];
  gateways: readonly GatewayFacts[];
}

export interface GatewayFacts {
  base_domain: string;
  /** Empty when the lookup failed. */
  addresses: readonly string[];
}

export interface Expected {
  /** 40 hex digits each. The ID the record must name: the app's, or one instance's. */
  target: string;
  app_id: string;
  instance_ids: readonly string[];
  port: number;
  /** Why the gateway routes no domains to this app; null when it does. */
  unserved: string | null;
}

export type CheckId = 'app' | 'address' | 'issuer' | 'gateway';
type CheckState = 'passed' | 'warning' | 'failed' | 'unknown' | 'skipped';

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
  /** Until then resolvers may serve the old answer, even if it is corrected now. */
  remembered_until: Date | null;
}

/** Describes a failure in a sentence about the name. */
export function failureText(name: string, failure: DnsFailure | null): string {
  switch (failure) {
    case 'servfail':
      return `DNS returns an error for ${name} (SERVFAIL): the zone’s servers aren’t responding, or their DNSSEC signatures are invalid.`;
    case 'refused':
      return `The resolver refuses to answer for ${name}.`;
    case 'loop':
      return `The CNAME records of ${name} form a loop, or a chain of more than eight names.`;
    default:
      return `DNS didn't respond for ${name} in time.`;
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
