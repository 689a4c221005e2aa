// A service's ports field: short strings and long mappings, as one list.

import { isMap } from 'yaml';
import type { Findings } from './findings';
import { type PortOwner, PortClaims, type PortRange, readRange, sizeOf } from './portRanges';
import { type ComposeSource, type Field, TooComplex, scalarText } from './source';

/** One entry of `ports`: a port or a range of ports, never expanded. */
export interface ComposePort {
  /** Ports inside the container; null if set by a variable. */
  target: PortRange | null;
  /** CVM ports, as many as `target`; null if Docker or a variable sets them. */
  published: PortRange | null;
  protocol: string;
  host_ip: string | null;
}

const SHORT =
  /^(?:(?<ip>\[[0-9a-fA-F:]+\]|\d+(?:\.\d+){3}):)?(?:(?<published>\d+(?:-\d+)?)?:)?(?<target>\d+(?:-\d+)?)(?:\/(?<protocol>[a-z]+))?$/;
/** Longer than any valid entry; the pattern above isn't applied beyond this. */
const MAX_ENTRY_LENGTH = 200;
/** Entries, each of which may be a range. Large real-world files have about 100. */
const MAX_SERVICE_ENTRIES = 256;
const MAX_ENTRIES = 1_024;

interface Found {
  port: ComposePort;
  /** Set by a variable. */
  variable: boolean;
}

export class Ports {
  private readonly claims = new Map<string, PortClaims>();
  private readonly source: ComposeSource;
  private readonly findings: Findings;
  private entries = 0;
  any = false;

  constructor(source: ComposeSource, findings: Findings) {
    this.source = source;
    this.findings = findings;
  }

  read(field: Field | undefined, service: string, path: string): ComposePort[] {
    const ports: ComposePort[] = [];
    const items = this.source.items(field?.value);
    this.entries += items.length;
    if (items.length > MAX_SERVICE_ENTRIES)
      throw new TooComplex(`A service can have up to ${MAX_SERVICE_ENTRIES} ports entries.`, field?.at, path);
    if (this.entries > MAX_ENTRIES)
      throw new TooComplex(`A file can have up to ${MAX_ENTRIES} ports entries.`, field?.at, path);
    items.forEach(({ value, at }, i) => {
      const place = `${path}[${i}]`;
      const found = isMap(value) ? this.long(value) : this.short(scalarText(value) ?? '');
      if (found === null) {
        this.findings.add('port_invalid', at, place, 'This is not a valid port.', service);
        return;
      }
      this.any = true;
      ports.push(found.port);
      this.judge(found, at, place, service);
    });
    return ports;
  }

  private judge({ port, variable }: Found, at: number, path: string, service: string) {
    const { target, published, host_ip, protocol } = port;
    if (isLoopback(host_ip))
      this.findings.add('port_loopback', at, path, `Published on ${host_ip} only.`, service);
    if (published === null) {
      if (!variable && target !== null) {
        const text = target.first === target.last ? `${target.first}` : `${target.first}-${target.last}`;
        const message = `Port ${text} has no published port; write "${text}:${text}".`;
        this.findings.add('port_random', at, path, message, service);
      }
      return;
    }
    const taken = this.claim(published, protocol, host_ip, service);
    if (taken) {
      const message = `Port ${taken.port} is already published by ${taken.owner}.`;
      this.findings.add('port_conflict', at, path, message, service);
    }
  }

  /**
   * Claims the ports on an address, or on all addresses of both families without one. A port on all addresses
   * conflicts with the same port on any one.
   */
  private claim(
    range: PortRange,
    protocol: string,
    host_ip: string | null,
    service: string,
  ): PortOwner | null {
    let taken: PortOwner | null = null;
    for (const ip of host_ip === null ? ['0.0.0.0', '::'] : [host_ip]) {
      const family = `${ip.includes(':') ? 'ipv6' : 'ipv4'}/${protocol}`;
      const any = this.claimsOf(family);
      const everywhere = this.claimsOf(`all ${family}`);
      if (isWildcard(ip)) {
        taken ??= any.taken(range);
        everywhere.claim(range, service);
      } else taken ??= this.claimsOf(`${ip} ${family}`).claim(range, service) ?? everywhere.taken(range);
      any.claim(range, service);
    }
    return taken;
  }

  private claimsOf(key: string): PortClaims {
    const claims = this.claims.get(key) ?? new PortClaims();
    this.claims.set(key, claims);
    return claims;
  }

  private short(text: string): Found | null {
    if (text.includes('$'))
      return { variable: true, port: { target: null, published: null, protocol: 'tcp', host_ip: null } };
    const parts = text.length > MAX_ENTRY_LENGTH ? undefined : SHORT.exec(text)?.groups;
    if (!parts) return null;
    const target = readRange(parts.target);
    let published = parts.published === undefined ? null : readRange(parts.published);
    if (!target || (parts.published !== undefined && !published)) return null;
    if (published && sizeOf(published) !== sizeOf(target)) {
      // A range of published ports for one target: Docker uses the first free one.
      if (sizeOf(target) !== 1) return null;
      published = { first: published.first, last: published.first };
    }
    const host_ip = parts.ip?.replace(/[[\]]/g, '') ?? null;
    return { variable: false, port: { target, published, protocol: parts.protocol ?? 'tcp', host_ip } };
  }

  private long(value: unknown): Found | null {
    const fields = this.source.fields(value);
    const text = (name: string) => scalarText(fields.get(name)?.value ?? null);
    const target = text('target');
    if (target === null) return null;
    const published = text('published');
    const found = this.short(published === null ? target : `${published}:${target}`);
    const protocol = text('protocol');
    const host_ip = text('host_ip');
    if (found && protocol !== null) found.port.protocol = protocol;
    if (found && host_ip !== null && host_ip !== '') found.port.host_ip = host_ip;
    return found;
  }
}

/** All addresses of its family. */
const isWildcard = (ip: string) => ip === '0.0.0.0' || /^[0:]+$/.test(ip);

/** Reachable only inside the CVM. */
export function isLoopback(host_ip: string | null): boolean {
  return host_ip !== null && (host_ip.startsWith('127.') || host_ip === '::1');
}
