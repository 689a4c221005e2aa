import { isIPv6 } from 'node:net';
import type { DnsRecord, DnsType } from '../../domain/network/dnsRecords';

/** DNS messages (RFC 1035 §4). Network input is untrusted: every length is checked before use. */

export const TYPE_NUMBER: Readonly<Record<DnsType, number>> = {
  A: 1,
  CNAME: 5,
  SOA: 6,
  TXT: 16,
  AAAA: 28,
  CAA: 257,
};
const TYPE_NAME = new Map(Object.entries(TYPE_NUMBER).map(([name, number]) => [number, name as DnsType]));

const IN = 1;
const OPT = 41;
/** Fits one packet on every path (DNS flag day 2020). */
const UDP_PAYLOAD = 1232;
/** RFC 2181 §8 treats larger TTLs as zero; a week is the longest that resolvers cache. */
const MAX_TTL = 604_800;
const MAX_RECORDS = 200;

export interface DnsMessage {
  id: number;
  truncated: boolean;
  rcode: number;
  question: { name: string; type: number } | null;
  answers: DnsRecord[];
  /** SOA of a negative reply, with how long the absence is cached (RFC 2308 §5). */
  negative_ttl: number | null;
}

export class MalformedDns extends Error {}

/** @param name as in decoded messages: the target of a CNAME can be the root, or have any bytes */
export function encodeQuery(id: number, name: string, type: DnsType): Buffer {
  const labels = (name === '' ? [] : name.split('.')).map((label) => {
    const bytes = Buffer.from(unescaped(label), 'latin1');
    if (bytes.length === 0 || bytes.length > 63) throw new MalformedDns(`${name} is not a DNS name`);
    return Buffer.concat([Buffer.of(bytes.length), bytes]);
  });
  const qname = Buffer.concat([...labels, Buffer.of(0)]);
  if (qname.length > 255) throw new MalformedDns(`${name.slice(0, 60)}… is longer than a DNS name may be`);
  const head = Buffer.alloc(12);
  head.writeUInt16BE(id, 0);
  head.writeUInt16BE(0x0100, 2); // recursion desired
  head.writeUInt16BE(1, 4);
  head.writeUInt16BE(1, 10); // the OPT record below
  const question = Buffer.alloc(4);
  question.writeUInt16BE(TYPE_NUMBER[type], 0);
  question.writeUInt16BE(IN, 2);
  const opt = Buffer.alloc(11); // RFC 6891 §6.1.2
  opt.writeUInt16BE(OPT, 1);
  opt.writeUInt16BE(UDP_PAYLOAD, 3);
  return Buffer.concat([head, qname, question, opt]);
}

/** @throws MalformedDns */
export function decodeMessage(bytes: Buffer): DnsMessage {
  if (bytes.length < 12) throw new MalformedDns('shorter than a header');
  const flags = bytes.readUInt16BE(2);
  if ((flags & 0x8000) === 0) throw new MalformedDns('not an answer');
  const reader = new Reader(bytes, 12);
  let question: DnsMessage['question'] = null;
  for (let left = bytes.readUInt16BE(4); left > 0; left -= 1) {
    const asked = { name: reader.name(), type: reader.u16() };
    reader.u16(); // class
    question ??= asked;
  }
  const answers: DnsRecord[] = [];
  for (let left = bytes.readUInt16BE(6); left > 0; left -= 1) {
    const record = reader.record();
    if (record && answers.length < MAX_RECORDS) answers.push(record);
  }
  let negative_ttl: number | null = null;
  // A truncated message may end anywhere after its answers; the query is repeated over TCP.
  const truncated = (flags & 0x0200) !== 0;
  for (let left = truncated ? 0 : bytes.readUInt16BE(8); left > 0; left -= 1) {
    const record = reader.record();
    if (record?.type === 'SOA')
      negative_ttl = Math.min(record.ttl, Number(record.value.split(' ').at(-1) ?? 0));
  }
  return { id: bytes.readUInt16BE(0), truncated, rcode: flags & 0xf, question, answers, negative_ttl };
}

class Reader {
  constructor(
    private readonly bytes: Buffer,
    public at: number,
  ) {}

  private need(count: number, end = this.bytes.length): void {
    if (this.at + count > end) throw new MalformedDns('a field extends beyond the end');
  }
  u8(): number {
    this.need(1);
    return this.bytes[this.at++] ?? 0;
  }
  u16(): number {
    this.need(2);
    this.at += 2;
    return this.bytes.readUInt16BE(this.at - 2);
  }
  u32(): number {
    this.need(4);
    this.at += 4;
    return this.bytes.readUInt32BE(this.at - 4);
  }
  take(count: number): Buffer {
    this.need(count);
    this.at += count;
    return this.bytes.subarray(this.at - count, this.at);
  }

  /** Follows compression pointers; each must lead further back, so that there are no loops. */
  name(): string {
    const labels: string[] = [];
    let size = 0;
    let at = this.at;
    let behind: number | null = null;
    for (;;) {
      const length = this.bytes[at];
      if (length === undefined) throw new MalformedDns('a name extends beyond the end');
      if (length === 0) break;
      if (length >= 0xc0) {
        const low = this.bytes[at + 1];
        if (low === undefined) throw new MalformedDns('a pointer extends beyond the end');
        const target = ((length & 0x3f) << 8) | low;
        if (target >= at) throw new MalformedDns('a pointer does not lead back');
        behind ??= at + 2;
        at = target;
        continue;
      }
      if (length > 63 || at + 1 + length > this.bytes.length) throw new MalformedDns('a label is too long');
      size += length + 1;
      if (size > 254) throw new MalformedDns('a name is too long');
      labels.push(printable(this.bytes.subarray(at + 1, at + 1 + length), /[^\w*-]/g));
      at += length + 1;
    }
    this.at = behind ?? at + 1;
    return labels.join('.').toLowerCase();
  }

  /** Null for a type that wasn't queried. */
  record(): DnsRecord | null {
    const name = this.name();
    const type = TYPE_NAME.get(this.u16());
    this.at += 2; // class
    const ttl = Math.min(this.u32(), MAX_TTL);
    const size = this.u16();
    this.need(size);
    const end = this.at + size;
    const data = type === undefined ? null : this.data(type, end);
    if (this.at > end) throw new MalformedDns('a record extends beyond its end');
    this.at = end;
    return data && type !== undefined ? { name, type, ttl, ...data } : null;
  }

  private data(type: DnsType, end: number): Pick<DnsRecord, 'value' | 'caa' | 'parts'> {
    switch (type) {
      case 'A':
        return { value: [...this.take(4)].join('.') };
      case 'AAAA':
        return { value: ipv6(this.take(16)) };
      case 'CNAME':
        return { value: this.name() };
      case 'SOA': {
        const words = [this.name(), this.name()];
        return { value: [...words, ...Array.from({ length: 5 }, () => this.u32())].join(' ') };
      }
      case 'TXT': {
        const parts: string[] = [];
        while (this.at < end) {
          const length = this.u8();
          this.need(length, end);
          parts.push(this.take(length).toString('utf8'));
        }
        return { value: parts.join(''), parts };
      }
      case 'CAA': {
        const flags = this.u8();
        const length = this.u8();
        this.need(length, end);
        const tag = this.take(length).toString('latin1').toLowerCase();
        const value = printable(this.take(end - this.at), /[^\x20-\x7e]/g);
        return { value: `${flags} ${tag} "${value}"`, caa: { critical: (flags & 0x80) !== 0, tag, value } };
      }
    }
  }
}

/** Escapes unusual bytes in names as zone files do: `\032`. */
const printable = (bytes: Buffer, other: RegExp): string =>
  bytes.toString('latin1').replace(other, (char) => `\\${char.charCodeAt(0).toString().padStart(3, '0')}`);

const unescaped = (label: string): string =>
  label.replace(/\\(\d{3})/g, (_, code: string) => String.fromCharCode(Number(code)));

/** In its short form (RFC 5952), which WHATWG URL writes. */
function ipv6(bytes: Buffer): string {
  const groups = Array.from({ length: 8 }, (_, i) => bytes.readUInt16BE(i * 2).toString(16));
  return normalAddress(groups.join(':'));
}

/** Normalizes an address, so that addresses can be compared as text. */
function normalAddress(address: string): string {
  return isIPv6(address) ? new URL(`http://[${address}]`).hostname.slice(1, -1) : address;
}
