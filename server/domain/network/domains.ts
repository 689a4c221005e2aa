import { domainToUnicode } from 'node:url';
import { normalDomain } from '../teams/sso';

/** Custom domains of apps: names, limits and records. The checks are in dnsDiagnosis.ts. */

export const MAX_DOMAINS_PER_TEAM = 100;
export const MAX_DOMAINS_PER_APP = 20;

/** Where dstack-gateway looks up a name's app, and the name it used before. */
const APP_ADDRESS = '_dstack-app-address';
export const APP_ADDRESS_WILDCARD = '_dstack-app-address-wildcard';
export const APP_ADDRESS_FORMER = '_tapp-address';

/** The authority that issues dstack-ingress's certificates. */
export const INGRESS_ISSUER = 'letsencrypt.org';

const MAX_NAME = 253;
/** RFC 6761 and RFC 9476: names no public resolver answers. */
const NOWHERE = /(?:^|\.)(?:localhost|local|invalid|internal|onion|alt|home\.arpa)$/;

export interface DomainName {
  /** Lowercase ASCII without final dot; a wildcard starts with `*.`. */
  domain: string;
  /** Without `*.`. */
  base: string;
  wildcard: boolean;
}

/** Why an app can't have a name that the server or one of its gateways serves. */
export const belongsToServer = (base: string): string =>
  `${base} belongs to this server. Every app has its addresses there already.`;

/**
 * Parses user input. @param taken names this server or its gateways serve themselves @returns a sentence when
 * it can't be an app's domain
 */
export function readDomain(typed: string, taken: readonly string[] = []): DomainName | string {
  const text = typed.trim();
  if (/^[a-z][a-z0-9+.-]*:\/\//i.test(text) || /[/?#@]/.test(text))
    return 'Enter the name only, without https:// and without a path.';
  if (/:\d*$/.test(text)) return 'Enter the name without a port.';
  const wildcard = text.startsWith('*.');
  const base = normalDomain(wildcard ? text.slice(2) : text);
  if (base === null || text.includes('@')) return 'Enter a domain such as app.example.com.';
  if (NOWHERE.test(base))
    return `Names under .${base.split('.').at(-1)} only exist on a single machine or network.`;
  if (taken.some((own) => base === own || base.endsWith(`.${own}`))) return belongsToServer(base);
  const domain = wildcard ? `*.${base}` : base;
  if (addressRecordName({ domain, base, wildcard }).length > MAX_NAME)
    return 'The name is too long: the name of its DNS record would exceed the limit.';
  return { domain, base, wildcard };
}

/** Restores a stored domain. */
export function storedDomain(domain: string): DomainName {
  const wildcard = domain.startsWith('*.');
  return { domain, wildcard, base: wildcard ? domain.slice(2) : domain };
}

/** Returns the Unicode form for display; unchanged for ASCII names. */
export const unicodeDomain = (domain: string): string =>
  domain.startsWith('*.') ? `*.${domainToUnicode(domain.slice(2))}` : domainToUnicode(domain) || domain;

/** The TXT record that names the domain's app. Only the domain's owner can set it, which makes it the proof. */
export const addressRecordName = ({ base, wildcard }: DomainName): string =>
  `${wildcard ? APP_ADDRESS_WILDCARD : APP_ADDRESS}.${base}`;

/** Base domains may carry the port clients must use. */
export function splitBase(base_domain: string): { host: string; port: number } {
  const [host = '', port] = base_domain.toLowerCase().split(':');
  return { host, port: Number(port ?? 443) };
}

/** The CNAME target: any name under the gateway's wildcard would do; no app has this one. */
export const gatewayAlias = (base_domain: string): string => `_.${splitBase(base_domain).host}`;

export interface WantedRecord {
  purpose: 'app' | 'address' | 'issuer';
  type: 'TXT' | 'CNAME' | 'A' | 'AAAA' | 'CAA';
  name: string;
  value: string;
  /** The domain doesn't work without it. */
  required: boolean;
  note: string;
}

export interface WantedFrom {
  name: DomainName;
  port: number;
  /** 40 hex digits: the app's ID, or the instance's when the domain is for one CVM. */
  target: string;
  /** Null where no gateway routes domains. */
  base_domain: string | null;
  /** The gateway's own addresses, if known. */
  gateway_addresses: readonly string[];
  /** The domain is a zone apex, where no CNAME is allowed (RFC 1034 §3.6.2). */
  apex: boolean;
}

/** Returns the records to set, required ones first. */
export function wantedRecords(from: WantedFrom): WantedRecord[] {
  const { name, port, target, base_domain, gateway_addresses, apex } = from;
  const records: WantedRecord[] = [
    {
      purpose: 'app',
      type: 'TXT',
      name: addressRecordName(name),
      value: `${target}:${port}`,
      required: true,
      note: 'Tells the gateway which app serves the domain and proves that it is yours. Use exactly one TXT record at this name, with only this value.',
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
        ? "The domain is a zone apex, so it can't be a CNAME. These addresses change when the gateway moves: if your DNS provider offers ALIAS, ANAME or CNAME flattening, use that with the gateway's name instead."
        : "Use instead of the CNAME if your DNS provider doesn't support it. Update it when the gateway moves.",
    }));
    const cname: WantedRecord = {
      purpose: 'address',
      type: 'CNAME',
      name: name.domain,
      value: gatewayAlias(base_domain),
      required: !apex || addresses.length === 0,
      note: apex
        ? "Set it as ALIAS, ANAME or flattened CNAME: a zone apex can't have a plain CNAME."
        : 'Routes visitors to the gateway. Turn off proxying (“DNS only”).',
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
