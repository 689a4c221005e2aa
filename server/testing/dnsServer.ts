import { createSocket } from 'node:dgram';

export interface TestDns {
  /** `ip:port`, as DNS_SERVERS takes it. */
  address: string;
  /** TXT records by lower-case name; each record is the list of its parts. */
  txt: Map<string, string[][]>;
  /** Answers nothing at all. */
  silent: boolean;
  close(): Promise<void>;
}

/** A DNS server that knows TXT records only (RFC 1035 §4). */
export async function startDnsServer(port = 0): Promise<TestDns> {
  const socket = createSocket('udp4');
  const state = { txt: new Map<string, string[][]>(), silent: false };
  socket.on('message', (query, from) => {
    if (!state.silent) socket.send(answer(query, state.txt), from.port, from.address);
  });
  await new Promise<void>((resolve) => socket.bind(port, '127.0.0.1', resolve));
  return Object.assign(state, {
    address: `127.0.0.1:${socket.address().port}`,
    close: () => new Promise<void>((resolve) => socket.close(() => resolve())),
  });
}

const TXT = 16;
const NXDOMAIN = 3;

function answer(query: Buffer, txt: ReadonlyMap<string, string[][]>): Buffer {
  const { name, end } = readName(query);
  const question = query.subarray(12, end + 4);
  const records = query.readUInt16BE(end) === TXT ? (txt.get(name.toLowerCase()) ?? []) : [];
  const head = Buffer.alloc(12);
  query.copy(head, 0, 0, 2);
  // An answer, authoritative, recursion as asked.
  head.writeUInt16BE(0x8400 | (query.readUInt16BE(2) & 0x0100) | (records.length === 0 ? NXDOMAIN : 0), 2);
  head.writeUInt16BE(1, 4);
  head.writeUInt16BE(records.length, 6);
  return Buffer.concat([head, question, ...records.map(txtRecord)]);
}

function txtRecord(parts: string[]): Buffer {
  const data = Buffer.concat(
    parts.flatMap((part) => [Buffer.from([Buffer.byteLength(part)]), Buffer.from(part)]),
  );
  const head = Buffer.alloc(12);
  head.writeUInt16BE(0xc00c, 0); // the name of the question
  head.writeUInt16BE(TXT, 2);
  head.writeUInt16BE(1, 4);
  head.writeUInt32BE(0, 6);
  head.writeUInt16BE(data.length, 10);
  return Buffer.concat([head, data]);
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
