import { domainToUnicode } from 'node:url';
import { normalDomain } from './sso';

/** Domains of the customers' own that lead to their apps: names, limits and records. Checks stand in dnsDiagnosis.ts. */

export const MOST_DOMAINS_PER_TEAM = 100;
export const MOST_DOMAINS_PER_APP = 20;

/** Where dstack-gateway looks which app a name belongs to, and the name it used before. */
export const APP_ADDRESS = '_dstack-app-address';
export const APP_ADDRESS_WILDCARD = '_dstack-app-address-wildcard';
export const APP_ADDRESS_FORMER = '_tapp-address';

/** The authority dstack-ingress gets its certificates from. */
export const INGRESS_ISSUER = 'letsencrypt.org';

const LONGEST_NAME = 253;
/** RFC 6761 and RFC 9476: names no resolver of the world answers for. */
const NOWHERE = /(?:^|\.)(?:localhost|local|invalid|internal|onion|alt|home\.arpa)$/;

export interface DomainName {
  /** Lower case ASCII without final dot; a wildcard begins with `*.`. */
  domain: string;
  /** Without `*.`. */
  base: string;
  wildcard: boolean;
}

/**
 * Reads what a person typed. @param taken names under which this server or its gateways answer themselves
 * @returns a sentence when it cannot be a domain of an app
 */
export function readDomain(typed: string, taken: readonly string[] = []): DomainName | string {
  const text = typed.trim();
  if (/^[a-z][a-z0-9+.-]*:\/\//i.test(text) || /[/?#@]/.test(text))
    return 'Enter the name only, without https:// and without a path.';
  if (/:\d*$/.test(text)) return 'Enter the name without a port; the port is chosen below.';
  const wildcard = text.startsWith('*.');
  const base = normalDomain(wildcard ? text.slice(2) : text);
  if (base === null || text.includes('@')) return 'Enter a domain such as app.example.com.';
  if (NOWHERE.test(base))
    return `Names under .${base.split('.').at(-1)} exist on one machine or network only.`;
  if (taken.some((own) => base === own || base.endsWith(`.${own}`)))
    return `${base} belongs to this server. Every app has its addresses there already.`;
  const domain = wildcard ? `*.${base}` : base;
  if (addressRecordName({ domain, base, wildcard }).length > LONGEST_NAME)
    return 'The name is too long: the record that belongs to it would not fit into DNS.';
  return { domain, base, wildcard };
}

/** A domain as it was stored. */
export function storedDomain(domain: string): DomainName {
  const wildcard = domain.startsWith('*.');
  return { domain, wildcard, base: wildcard ? domain.slice(2) : domain };
}

/** As people read it; the same for names in ASCII. */
export const unicodeDomain = (domain: string): string =>
  domain.startsWith('*.') ? `*.${domainToUnicode(domain.slice(2))}` : domainToUnicode(domain) || domain;

/** The TXT record that says which app the domain belongs to. Only who answers for the domain can set it: it is the proof. */
export const addressRecordName = ({ base, wildcard }: DomainName): string =>
  `${wildcard ? APP_ADDRESS_WILDCARD : APP_ADDRESS}.${base}`;

/** Base domains may carry the port clients have to use. */
export function splitBase(base_domain: string): { host: string; port: number } {
  const [host = '', port] = base_domain.toLowerCase().split(':');
  return { host, port: Number(port ?? 443) };
}

/** The name a CNAME points at: any name of the gateway's wildcard would do, this one nobody's app has. */
export const gatewayAlias = (base_domain: string): string => `_.${splitBase(base_domain).host}`;

export interface WantedRecord {
  purpose: 'app' | 'address' | 'issuer';
  type: 'TXT' | 'CNAME' | 'A' | 'AAAA' | 'CAA';
  name: string;
  value: string;
  /** Without it the domain does not work. */
  required: boolean;
  note: string;
}

export interface WantedFrom {
  name: DomainName;
  port: number;
  /** 40 hex digits: the app's id, or the instance's when the domain is for one CVM. */
  target: string;
  /** Null where no gateway leads domains on. */
  base_domain: string | null;
  /** The gateway's own addresses, when they are known. */
  gateway_addresses: readonly string[];
  /** The domain begins a zone, where no CNAME can stand (RFC 1034 §3.6.2). */
  apex: boolean;
}

/** The records to set, the necessary ones first. */
export function wantedRecords(from: WantedFrom): WantedRecord[] {
  const { name, port, target, base_domain, gateway_addresses, apex } = from;
  const records: WantedRecord[] = [
    {
      purpose: 'app',
      type: 'TXT',
      name: addressRecordName(name),
      value: `${target}:${port}`,
      required: true,
      note: 'Tells the gateway where to lead the domain, and proves that it is yours. Exactly one TXT record at this name, nothing around the value.',
    },
  ];
  if (base_domain !== null) {
    const addresses = gateway_addresses.map((value): WantedRecord => ({
      purpose: 'address',
      type: value.includes(':') ? 'AAAA' : 'A',
      name: name.domain,
      value,
      required: apex,
      note: apex
        ? 'The domain begins a zone, so it cannot be a CNAME. These addresses change when the gateway moves: where your DNS provider offers ALIAS, ANAME or CNAME flattening, use that to the gateway’s name instead.'
        : 'Instead of the CNAME, where your DNS provider cannot set one. It has to be changed when the gateway moves.',
    }));
    const cname: WantedRecord = {
      purpose: 'address',
      type: 'CNAME',
      name: name.domain,
      value: gatewayAlias(base_domain),
      required: !apex || addresses.length === 0,
      note: apex
        ? 'As ALIAS, ANAME or flattened CNAME: a plain CNAME cannot stand where a zone begins.'
        : 'Leads visitors to the gateway. Without a proxy in between (“DNS only”).',
    };
    records.push(...(apex && addresses.length > 0 ? [...addresses, cname] : [cname, ...addresses]));
  }
  records.push({
    purpose: 'issuer',
    type: 'CAA',
    name: name.base,
    value: `0 ${name.wildcard ? 'issuewild' : 'issue'} "${INGRESS_ISSUER}"`,
    required: false,
    note: 'Only this authority may then issue certificates for the domain. Leave it out if you use another one.',
  });
  return records;
}
