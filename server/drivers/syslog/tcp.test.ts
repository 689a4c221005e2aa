import type { AddressInfo } from 'node:net';
import { connect, createServer, type Socket } from 'node:net';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { administratorPolicy } from '../../domain/core/outbound';
import { selfSigned, type TestCertificate } from '../../testing/certificate';
import { startSyslog, type SyslogReceiver } from '../../testing/syslogServer';
import { OutboundError } from '../net';
import type { SyslogServer } from './index';
import { createSyslogDriver } from './tcp';

const open: { close(): Promise<unknown> }[] = [];
afterEach(async () => {
  for (const one of open.splice(0)) await one.close();
});
const toLoopback = async () => [{ address: '127.0.0.1', family: 4 }];
const driver = createSyslogDriver(administratorPolicy({ outboundAllow: [] }), toLoopback);
const HOST = 'logs.example.com';
let certificate: TestCertificate;
beforeAll(() => {
  certificate = selfSigned(HOST);
});

async function receiver(tls?: Parameters<typeof startSyslog>[0]): Promise<SyslogReceiver> {
  const made = await startSyslog(tls);
  open.push(made);
  return made;
}
const line = (n: number) =>
  `<110>1 2026-11-21T08:00:00Z host teehouse - test [audit@32473 id="${n}"] {"n":${n}}`;
const frames = (...numbers: number[]) =>
  Buffer.from(numbers.map((n) => `${Buffer.byteLength(line(n))} ${line(n)}`).join(''));
const send = (
  server: SyslogServer,
  bytes: Uint8Array = frames(1),
  timeout_ms = 20_000,
  signal?: AbortSignal,
) => driver.send(server, bytes, { timeout_ms, signal });
const failure = async (work: Promise<unknown>): Promise<string> => {
  const error = await work.then(
    () => new Error('did not fail'),
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof OutboundError)) throw error as Error;
  return `${error.kind}: ${error.message}`;
};
/**
 * Forwards connections, but delays the server's data and its end once the client has answered its first
 * messages.
 */
async function slowAfterClientCertificate(to: number, ms: number): Promise<number> {
  const proxy = createServer({ allowHalfOpen: true }, (client) => {
    const server = connect({ host: '127.0.0.1', port: to, allowHalfOpen: true });
    let answers = 0;
    const later = (act: () => void) => (answers > 1 ? void setTimeout(act, ms) : act());
    client.on('data', (bytes) => {
      answers += 1;
      server.write(bytes);
    });
    client.on('end', () => server.end());
    server.on('data', (bytes) => later(() => client.write(bytes)));
    for (const end of ['end', 'close']) server.on(end, () => later(() => client.end()));
    for (const socket of [client, server]) socket.on('error', () => undefined);
    client.on('close', () => server.destroy());
  });
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
  open.push({ close: async () => void proxy.close() });
  return (proxy.address() as AddressInfo).port;
}
const numbers = ({ received }: SyslogReceiver) => received.map(({ params }) => Number(params.id));

describe('a syslog server over TLS', () => {
  const at = ({ port }: SyslogReceiver, ca: string | null = certificate.cert, host = HOST): SyslogServer => ({
    host,
    port,
    tls: { ca },
  });

  it('has every message once sending has succeeded', async () => {
    const server = await receiver(certificate);
    await send(at(server), frames(...Array.from({ length: 5_000 }, (_, n) => n)));
    expect(numbers(server)).toEqual(Array.from({ length: 5_000 }, (_, n) => n));
  });

  it('gets nothing if neither the given authority nor one that the system trusts signed its certificate', async () => {
    const server = await receiver(certificate);
    for (const ca of [selfSigned(HOST).cert, null])
      expect(await failure(send(at(server, ca)))).toBe(
        `unreachable: ${HOST}:${server.port} isn't responding: its certificate isn't trusted.`,
      );
    expect(server.received).toEqual([]);
  });

  it('gets nothing if its certificate is for another name', async () => {
    const server = await receiver(certificate);
    expect(await failure(send(at(server, certificate.cert, 'other.example.com')))).toMatch(
      /certificate is for another name/,
    );
    expect(server.received).toEqual([]);
  });

  it('gets everything from a client whose certificate it accepts, and nothing from others', async () => {
    const own = selfSigned('teehouse.example.com');
    const server = await receiver({ ...certificate, clients: own.cert });
    const as = (client: TestCertificate | null): SyslogServer => ({
      ...at(server),
      tls: { ca: certificate.cert, client },
    });
    await send(as(own), frames(1, 2));
    expect(numbers(server)).toEqual([1, 2]);
    expect(await failure(send(as(null)))).toBe(
      `unreachable: ${HOST}:${server.port} isn't responding: it requires a client certificate.`,
    );
    expect(await failure(send(as(selfSigned('teehouse.example.com'))))).toBe(
      `unreachable: ${HOST}:${server.port} closed the connection before it read anything. If it checks client certificates, it didn't accept this one.`,
    );
    expect(numbers(server)).toEqual([1, 2]);
  });

  it('has not accepted what it was too slow to refuse', async () => {
    const client = selfSigned('teehouse.example.com');
    const server = await receiver({ ...certificate, clients: selfSigned('other.example.com').cert });
    // Longer than the second that this server used to wait.
    const port = await slowAfterClientCertificate(server.port, 1_500);
    const as = { host: HOST, port, tls: { ca: certificate.cert, client } };
    expect(await failure(send(as))).toMatch(/^unreachable: /);
    expect(server.received).toEqual([]);
  });

  it('is named as the reason if it supports only TLS 1.3 and would get a client certificate', async () => {
    const own = selfSigned('teehouse.example.com');
    const server = await receiver({ ...certificate, clients: own.cert, minVersion: 'TLSv1.3' });
    const as = { ...at(server), tls: { ca: certificate.cert, client: own } };
    expect(await failure(send(as))).toBe(
      `unreachable: ${HOST}:${server.port} isn't responding: it doesn't speak TLS 1.2.`,
    );
    const without = await receiver({ ...certificate, minVersion: 'TLSv1.3' });
    await send(at(without), frames(1));
    expect(numbers(without)).toEqual([1]);
  });

  it('is checked by its address if it has no name', async () => {
    const own = selfSigned('127.0.0.1');
    const server = await receiver(own);
    await send(at(server, own.cert, '127.0.0.1'));
    expect(numbers(server)).toEqual([1]);
    expect(await failure(send(at(await receiver(certificate), certificate.cert, '127.0.0.1')))).toMatch(
      /another name/,
    );
  });

  it('gets nothing if it does not speak TLS', async () => {
    const server = await receiver();
    server.instead = (socket) => socket.on('data', () => socket.end('not TLS\n'));
    expect(await failure(send(at(server)))).toMatch(/^unreachable: .*doesn't speak TLS/);
  });
});

describe('a syslog server over TCP', () => {
  const at = ({ port }: { port: number }): SyslogServer => ({ host: HOST, port, tls: null });

  it('has every message once sending has succeeded', async () => {
    const server = await receiver();
    await send(at(server), frames(1, 2));
    await send(at(server), frames(3));
    expect(numbers(server)).toEqual([1, 2, 3]);
  });

  it('has not accepted them if it ends the connection before the last one', async () => {
    const server = await receiver();
    const much = Buffer.concat(Array.from({ length: 200_000 }, (_, n) => frames(n)));
    server.instead = (socket) => socket.once('data', () => socket.end());
    expect(await failure(send(at(server), much))).toMatch(/^unreachable: /);
    server.instead = (socket) => socket.once('data', () => socket.resetAndDestroy());
    expect(await failure(send(at(server), much))).toMatch(/^unreachable: /);
  });

  it('has not accepted them if it stops reading, or never closes', async () => {
    const server = await receiver();
    const much = Buffer.concat(Array.from({ length: 200_000 }, (_, n) => frames(n)));
    server.instead = (socket) => void socket.pause();
    expect(await failure(send(at(server), much, 300))).toMatch(
      /^timeout: .*didn't read the entries within 1 s/,
    );
    const half = createServer({ allowHalfOpen: true }, (socket: Socket) => void socket.resume());
    await new Promise<void>((resolve) => half.listen(0, '127.0.0.1', resolve));
    open.push({
      close: async () => {
        half.close();
      },
    });
    const { port } = half.address() as AddressInfo;
    expect(await failure(send(at({ port }), frames(1), 300))).toMatch(
      /^timeout: .*didn't close the connection/,
    );
  });

  it('is reported if it refuses connections, or has no address', async () => {
    const gone = await startSyslog();
    await gone.close();
    expect(await failure(send(at(gone)))).toMatch(/^unreachable: .*refuses connections/);
    const nowhere = createSyslogDriver(administratorPolicy({ outboundAllow: [] }), async () => []);
    expect(await failure(nowhere.send(at(gone), frames(1), { timeout_ms: 1_000 }))).toMatch(
      /^unknown_host: /,
    );
  });

  it('may be in a private network, but not where clouds serve metadata', async () => {
    for (const [host, refused] of [
      ['169.254.169.254', true],
      ['fe80::1', true],
    ] as const)
      expect((await failure(send({ host, port: 514, tls: null }))).startsWith('refused: ')).toBe(refused);
    const named = createSyslogDriver(administratorPolicy({ outboundAllow: [] }), async () => [
      { address: '169.254.169.254', family: 4 },
    ]);
    expect(await failure(named.send(at({ port: 514 }), frames(1), { timeout_ms: 1_000 }))).toMatch(
      /^refused: /,
    );
  });

  it('is disconnected when the process stops', async () => {
    const server = await receiver();
    const stop = new AbortController();
    server.instead = () => stop.abort();
    const reason = () => send(at(server), frames(1), 20_000, stop.signal).catch((error: unknown) => error);
    // Midway, then before the start.
    for (const _when of ['midway', 'before']) expect(await reason()).toBe(stop.signal.reason);
  });
});
