// The ports field of a service: short texts and long mappings, as one list.

import { isMap } from 'yaml';
import type { Findings } from './findings';
import { type ComposeSource, type Field, scalarText } from './source';

export interface ComposePort {
  /** Port inside the container; null when a variable decides. */
  target: number | null;
  /** Port of the CVM; null when docker picks one or a variable decides. */
  published: number | null;
  protocol: string;
  host_ip: string | null;
}

const SHORT =
  /^(?:(?<ip>\[[0-9a-fA-F:]+\]|\d+(?:\.\d+){3}):)?(?:(?<published>\d+(?:-\d+)?)?:)?(?<target>\d+(?:-\d+)?)(?:\/(?<protocol>[a-z]+))?$/;
const LONGEST_RANGE = 1000;

export class Ports {
  private readonly owners = new Map<string, string>();
  private readonly source: ComposeSource;
  private readonly findings: Findings;
  any = false;

  constructor(source: ComposeSource, findings: Findings) {
    this.source = source;
    this.findings = findings;
  }

  read(field: Field | undefined, service: string, path: string): ComposePort[] {
    const ports: ComposePort[] = [];
    this.source.items(field?.value).forEach(({ value, at }, i) => {
      const place = `${path}[${i}]`;
      const found = isMap(value) ? this.long(value) : this.short(scalarText(value) ?? '');
      if (found === null) {
        this.findings.add('port_invalid', at, place, 'This is not a port.', service);
        return;
      }
      this.any = true;
      for (const port of found.ports) {
        ports.push(port);
        this.judge(port, found.variable, at, place, service);
      }
    });
    return ports;
  }

  private judge(port: ComposePort, variable: boolean, at: number, path: string, service: string) {
    const { published, host_ip, protocol } = port;
    if (host_ip !== null && (host_ip.startsWith('127.') || host_ip === '::1'))
      this.findings.add('port_loopback', at, path, `Published on ${host_ip} only.`, service);
    if (published === null) {
      if (!variable)
        this.findings.add(
          'port_random',
          at,
          path,
          `Port ${port.target} has no published port; write "${port.target}:${port.target}".`,
          service,
        );
      return;
    }
    const key = `${host_ip ?? ''}:${published}/${protocol}`;
    const owner = this.owners.get(key);
    if (owner !== undefined)
      this.findings.add(
        'port_conflict',
        at,
        path,
        `Port ${published} is already published by ${owner}.`,
        service,
      );
    else this.owners.set(key, service);
  }

  private short(text: string): { ports: ComposePort[]; variable: boolean } | null {
    if (text.includes('$'))
      return {
        variable: true,
        ports: [{ target: null, published: null, protocol: 'tcp', host_ip: null }],
      };
    const parts = SHORT.exec(text)?.groups;
    if (!parts) return null;
    const targets = range(parts.target);
    const published = parts.published === undefined ? null : range(parts.published);
    if (!targets || (parts.published !== undefined && !published)) return null;
    if (published && published.length !== targets.length) {
      // A range of published ports for one target: docker takes the first free one.
      if (targets.length !== 1) return null;
      published.length = 1;
    }
    const host_ip = parts.ip?.replace(/[[\]]/g, '') ?? null;
    return {
      variable: false,
      ports: targets.map((target, i) => ({
        target,
        published: published?.[i] ?? null,
        protocol: parts.protocol ?? 'tcp',
        host_ip,
      })),
    };
  }

  private long(value: unknown): { ports: ComposePort[]; variable: boolean } | null {
    const fields = this.source.fields(value);
    const text = (name: string) => scalarText(fields.get(name)?.value ?? null);
    const target = text('target');
    if (target === null) return null;
    const published = text('published');
    const found = this.short(published === null ? target : `${published}:${target}`);
    const protocol = text('protocol');
    const host_ip = text('host_ip');
    for (const port of found?.ports ?? []) {
      if (protocol !== null) port.protocol = protocol;
      if (host_ip !== null && host_ip !== '') port.host_ip = host_ip;
    }
    return found;
  }
}

function range(text: string | undefined): number[] | null {
  const [first, last = first] = (text ?? '').split('-').map(Number);
  if (first === undefined || last === undefined) return null;
  if (first < 1 || last > 65535 || last < first || last - first >= LONGEST_RANGE) return null;
  return Array.from({ length: last - first + 1 }, (_, i) => first + i);
}
