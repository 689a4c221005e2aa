import { createSocket, type Socket } from 'node:dgram';
import { createServer, type AddressInfo } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { TYPE_NUMBER } from '../drivers/dns/message';
import type { DnsType } from '../domain/network/dnsRecords';

export interface TestDns {
  /** `ip:port`, as DNS_SERVERS expects it. */
  address: string;
  /** TXT records by lowercase name; each record is the list of its parts. */
  txt: Map<string, string[][]>;
  /** All other records. */
  zone: Map<string, TestRecord[]>;
  /** Names whose queries return SERVFAIL. */
  broken: Set<string>;
  /** Names whose queries get no reply. */
  mute: Set<string>;
  /** Replies to no query at all. */
  silent: boolean;
  /** Follows CNAMEs itself, as a recursive server does; otherwise it returns only the first link. */
  recurses: boolean;
  /** Sends only the header over UDP, so that the query is repeated over TCP. */
  truncate: boolean;
  /** First sends a reply with another ID, as an off-path attacker would. */
  forge: boolean;
  /** "name TYPE" of each query, in order. */
  asked: string[];
  /** Sets the records of one name; without records, the name exists but is empty. */
  set(name: string, ...records: TestRecord[]): void;
  close(): Promise<void>;
}

/** `value`: as in a zone file; for CAA `[flags, tag, value]`, for SOA the minimum. */
type TestRecord = { ttl?: number } & (
  | { type: 'A' | 'AAAA' | 'CNAME'; value: string }
  | { type: 'CAA'; value: [number, string, string] }
  | { type: 'SOA'; value: number }
);

/** A DNS server over UDP and TCP (RFC 1035 §4) that follows CNAMEs within its own records, as a recursive one does. */
export async function startDnsServer(port = 0): Promise<TestDns> {
  const socket = createSocket('udp4');
  const zone = new Map<string, TestRecord[]>();
  const state = {
    txt: new Map<string, string[][]>(),
    zone,
    broken: new Set<string>(),
    mute: new Set<string>(),
    silent: false,
    recurses: true,
    truncate: false,
    forge: false,
    asked: [] as string[],
    set: (name: string, ...records: TestRecord[]) => void zone.set(name, records),
  };
  const reply = (query: Buffer): Buffer | null => {
    const { name, end } = readName(query);
    state.asked.push(`${name.toLowerCase()} ${typeName(query.readUInt16BE(end)) ?? '?'}`);
    return state.silent || state.mute.has(name.toLowerCase()) ? null : answer(query, state);
  };
  socket.on('message', (query, from) => {
    const full = reply(query);
    if (!full) return;
    if (state.forge) {
      const forged = Buffer.from(full);
      forged.writeUInt16BE(forged.readUInt16BE(0) ^ 1, 0);
      socket.send(forged, from.port, from.address);
    }
    const sent = Buffer.from(full);
    if (state.truncate) sent.writeUInt16BE(sent.readUInt16BE(2) | 0x0200, 2);
    socket.send(state.truncate ? cutToQuestion(sent) : sent, from.port, from.address);
  });
  const tcp = createServer((connection) => {
    connection.on('error', () => undefined);
    connection.once('data', (bytes) => {
      const full = reply(bytes.subarray(2));
      if (!full) return;
      const length = Buffer.alloc(2);
      length.writeUInt16BE(full.length);
      // Split in two, as networks may do.
      connection.write(Buffer.concat([length, full.subarray(0, 5)]));
      connection.end(full.subarray(5));
    });
  });
  // With a fixed port, TCP may already be in use; then the server supports only UDP.
  if (port === 0) {
    await new Promise<void>((resolve) => tcp.listen(0, '127.0.0.1', resolve));
    await bind(socket, (tcp.address() as AddressInfo).port);
  } else await bind(socket, port);
  const { port: bound } = socket.address() as AddressInfo;
  return Object.assign(state, {
    address: `127.0.0.1:${bound}`,
    close: async () => {
      await Promise.all([
        new Promise<void>((resolve) => socket.close(() => resolve())),
        port === 0 ? new Promise<void>((resolve) => tcp.close(() => resolve())) : undefined,
      ]);
    },
  });
}

/** Browser tests share one port; a second server waits until it is free. */
async function bind(socket: Socket, port: number): Promise<void> {
  for (const until = Date.now() + 150_000; ; await wait(200)) {
    try {
      await new Promise<void>((resolve, reject) => {
        socket.once('error', reject);
        socket.bind(port, '127.0.0.1', () => {
          socket.off('error', reject);
          resolve();
        });
      });
      return;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE' || Date.now() > until) throw error;
    }
  }
}

const NXDOMAIN = 3;
const SERVFAIL = 2;
const DEFAULT_TTL = 300;
const typeName = (number: number) =>
  (Object.keys(TYPE_NUMBER) as DnsType[]).find((name) => TYPE_NUMBER[name] === number);

function answer(
  query: Buffer,
  { txt, zone, broken, recurses }: Pick<TestDns, 'txt' | 'zone' | 'broken' | 'recurses'>,
): Buffer {
  const { name, end } = readName(query);
  const wanted = typeName(query.readUInt16BE(end));
  const records: Buffer[] = [];
  let current = name.toLowerCase();
  let exists = false;
  let rcode = 0;
  for (let links = 0; links < (recurses ? 12 : 1); links += 1) {
    if (broken.has(current)) rcode = SERVFAIL;
    const here = zone.get(current) ?? [];
    const texts = txt.get(current) ?? [];
    exists = here.length > 0 || texts.length > 0 || zone.has(current);
    if (wanted === 'TXT')
      records.push(...texts.map((parts) => resource(current, 'TXT', DEFAULT_TTL, text(parts))));
    for (const one of here)
      if (one.type === wanted) records.push(resource(current, one.type, one.ttl ?? DEFAULT_TTL, data(one)));
    const alias = here.find((one) => one.type === 'CNAME');
    if (alias?.type !== 'CNAME' || wanted === 'CNAME') break;
    records.push(resource(current, 'CNAME', alias.ttl ?? DEFAULT_TTL, encodeName(alias.value)));
    current = alias.value.replace(/\.$/, '').toLowerCase();
  }
  if (rcode === 0 && !exists) rcode = NXDOMAIN;
  const authority = soaAbove(current, zone);
  const head = Buffer.alloc(12);
  query.copy(head, 0, 0, 2);
  // An authoritative reply that copies the recursion flag.
  head.writeUInt16BE(0x8400 | (query.readUInt16BE(2) & 0x0100) | rcode, 2);
  head.writeUInt16BE(1, 4);
  head.writeUInt16BE(rcode === SERVFAIL ? 0 : records.length, 6);
  head.writeUInt16BE(authority ? 1 : 0, 8);
  return Buffer.concat([
    head,
    query.subarray(12, end + 4),
    ...(rcode === SERVFAIL ? [] : records),
    ...(authority ? [authority] : []),
  ]);
}

function soaAbove(name: string, zone: ReadonlyMap<string, TestRecord[]>): Buffer | null {
  for (let at = name; at !== ''; at = at.includes('.') ? at.slice(at.indexOf('.') + 1) : '') {
    const soa = zone.get(at)?.find((one) => one.type === 'SOA');
    if (soa) return resource(at, 'SOA', soa.ttl ?? DEFAULT_TTL, data(soa));
  }
  return null;
}

function data(record: TestRecord): Buffer {
  switch (record.type) {
    case 'A':
      return Buffer.from(record.value.split('.').map(Number));
    case 'AAAA':
      return ipv6Bytes(record.value);
    case 'CNAME':
      return encodeName(record.value);
    case 'CAA': {
      const [flags, tag, value] = record.value;
      return Buffer.concat([Buffer.of(flags, tag.length), Buffer.from(tag + value, 'latin1')]);
    }
    case 'SOA': {
      const numbers = Buffer.alloc(20);
      numbers.writeUInt32BE(record.value, 16);
      return Buffer.concat([encodeName('ns.test'), encodeName('admin.test'), numbers]);
    }
  }
}

const text = (parts: string[]) =>
  Buffer.concat(parts.flatMap((part) => [Buffer.of(Buffer.byteLength(part)), Buffer.from(part)]));

function resource(name: string, type: DnsType, ttl: number, payload: Buffer): Buffer {
  const head = Buffer.alloc(10);
  head.writeUInt16BE(TYPE_NUMBER[type], 0);
  head.writeUInt16BE(1, 2);
  head.writeUInt32BE(ttl, 4);
  head.writeUInt16BE(payload.length, 8);
  return Buffer.concat([encodeName(name), head, payload]);
}

const encodeName = (name: string) =>
  Buffer.concat([
    ...name
      .replace(/\.$/, '')
      .split('.')
      .map((label) => Buffer.concat([Buffer.of(label.length), Buffer.from(label, 'latin1')])),
    Buffer.of(0),
  ]);

/** `::` is replaced by the missing zeros. */
function ipv6Bytes(address: string): Buffer {
  const [left = '', right] = address.split('::');
  const groups = (half: string) => half.split(':').filter((group) => group !== '');
  const zeros = Array.from({ length: 8 - groups(left).length - groups(right ?? '').length }, () => '0');
  const bytes = Buffer.alloc(16);
  [...groups(left), ...(right === undefined ? [] : zeros), ...groups(right ?? '')].forEach((group, i) =>
    bytes.writeUInt16BE(Number.parseInt(group, 16), i * 2),
  );
  return bytes;
}

/** The header, with no records after the question. */
function cutToQuestion(message: Buffer): Buffer {
  const cut = Buffer.from(message.subarray(0, readName(message).end + 4));
  cut.writeUInt32BE(0, 6);
  return cut;
}

function readName(query: Buffer): { name: string; end: number } {
  const labels: string[] = [];
  let at = 12;
  for (let length = query[at] ?? 0; length > 0; length = query[at] ?? 0) {
    labels.push(query.toString('latin1', at + 1, at + 1 + length));
    at += 1 + length;
  }
  return { name: labels.join('.'), end: at + 1 };
}
