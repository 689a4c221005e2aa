import { createServer, type Socket } from 'node:net';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { selfSigned } from '../../testing/certificate';
import { startFakeVmm } from './fake';
import type { VmmOptions } from './index';
import { createVmmDriver } from './rpc';
import { closeAfterTest, dir, driverTo, failure, host, pair, setUpTestHosts, spec } from './testHosts';

setUpTestHosts();

describe('connecting to a host', () => {
  it('works over a Unix socket with a bearer token', async () => {
    const vmm = await host({ socketPath: path.join(dir, 'vmm.sock'), token: 'secret-token' });
    const driver = driverTo({ url: vmm.url, credential: { type: 'bearer', token: 'secret-token' } });
    expect((await driver.version()).version).toBe('0.6.0');
    expect((await driver.status()).vms).toEqual([]);
  });

  it('works with a basic credential behind a path prefix', async () => {
    const vmm = await host();
    let seen: string | undefined;
    vmm.on('/tee1/prpc/Version', (request, response) => {
      seen = request.headers.authorization;
      response.end('{"version":"0.6.1"}');
    });
    const credential = { type: 'basic', username: 'ops', password: 'p:w é' } as const;
    expect((await driverTo({ url: `${vmm.url}/tee1/`, credential }).version()).version).toBe('0.6.1');
    expect(seen).toBe(`Basic ${Buffer.from('ops:p:w é').toString('base64')}`);
  });

  it('works over https only if the certificate is trusted: by CA, by pin, or unchecked on request', async () => {
    const right = selfSigned('127.0.0.1');
    const other = selfSigned('127.0.0.1');
    const vmm = await host({ tls: right });
    const stranger = await failure(driverTo({ url: vmm.url }).version());
    expect(stranger).toMatchObject({ kind: 'unreachable', retryable: false });
    expect(stranger.message).toContain('TLS');
    expect(vmm.requests).toEqual([]);

    const to = (tls: VmmOptions['tls']) => driverTo({ url: vmm.url, ...(tls && { tls }) }).version();
    expect((await to({ ca: right.cert })).version).toBe('0.6.0');
    expect((await to({ pin_sha256: right.pin.toUpperCase().replace(/(..)(?!$)/g, '$1:') })).version).toBe(
      '0.6.0',
    );
    expect((await to({ insecure: true })).version).toBe('0.6.0');
    expect(await failure(to({ ca: other.cert }))).toMatchObject({ kind: 'unreachable', retryable: false });
    const pinned = await failure(to({ pin_sha256: other.pin }));
    expect(pinned).toMatchObject({ kind: 'unreachable', retryable: false });
    expect(pinned.message).toContain('pinned');
  });

  it('rejects a certificate for another name', async () => {
    const tls = selfSigned('elsewhere.example');
    const vmm = await host({ tls });
    expect(await failure(driverTo({ url: vmm.url, tls: { ca: tls.cert } }).version())).toMatchObject({
      kind: 'unreachable',
      retryable: false,
    });
    const named = { ca: tls.cert, servername: 'elsewhere.example' };
    expect((await driverTo({ url: vmm.url, tls: named }).version()).version).toBe('0.6.0');
  });

  it('reports that nothing listens and nothing was done', async () => {
    const vmm = await startFakeVmm();
    await vmm.close();
    expect(await failure(driverTo({ url: vmm.url }).createVm(spec))).toMatchObject({
      kind: 'unreachable',
      retryable: true,
      ambiguous: false,
    });
    const socket = driverTo({ url: `unix:${dir}/nobody.sock` });
    expect(await failure(socket.createVm(spec))).toMatchObject({ kind: 'unreachable', ambiguous: false });
  });

  it.each([
    ['ftp://host', /scheme/],
    ['host:9080/x', /scheme/],
    ['not a url', /not a URL/],
    ['https://user:pass@host', /own field/],
    ['https://host/?token=x', /can't have a query/],
    ['unix:relative.sock', /absolute/],
    ['unix:/var/run/docker.sock:/v1.41/build?remote=x&y=', /can't have a query/],
    ['unix:/var/run/docker.sock:/v1.41/build#', /can't have a query/],
  ])('rejects the URL %s with an explanation', (url, sentence) => {
    expect(() => createVmmDriver({ url })).toThrow(sentence);
  });
});

describe('a misbehaving connection', () => {
  /** A TCP server that calls `act` on each connection once the request has arrived. */
  async function raw(act: (socket: Socket, nth: number) => void): Promise<string> {
    const sockets = new Set<Socket>();
    let nth = 0;
    const server = createServer((socket) => {
      sockets.add(socket);
      socket.on('error', () => {});
      socket.once('data', () => act(socket, (nth += 1)));
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    closeAfterTest({
      close: () => {
        for (const socket of sockets) socket.destroy();
        return new Promise((resolve) => server.close(resolve));
      },
    });
    return `http://127.0.0.1:${(server.address() as { port: number }).port}`;
  }

  it('times out on an unresponsive host and reports that a VM may have been created', async () => {
    const url = await raw(() => {});
    const driver = driverTo({ url, limits: { slow_write_ms: 80, info_ms: 60, read_ms: 70 } });
    expect(await failure(driver.createVm(spec))).toMatchObject({
      kind: 'timeout',
      retryable: true,
      ambiguous: true,
    });
    expect(await failure(driver.getInfo('x'))).toMatchObject({ kind: 'timeout', ambiguous: false });
  });

  it('applies the deadline up to the last byte, even if it trickles in', async () => {
    const url = await raw((socket) => {
      socket.write('HTTP/1.1 200 OK\r\ncontent-length: 100000\r\n\r\n');
      const drip = setInterval(() => socket.write(' '), 10);
      socket.on('close', () => clearInterval(drip));
    });
    expect(await failure(driverTo({ url, limits: { read_ms: 120 } }).status())).toMatchObject({
      kind: 'timeout',
    });
  });

  it('treats a broken connection as an unknown outcome of a change', async () => {
    const url = await raw((socket) => socket.resetAndDestroy());
    expect(await failure(driverTo({ url }).createVm(spec))).toMatchObject({
      kind: 'unreachable',
      ambiguous: true,
    });
  });

  it('treats a truncated body as a broken connection', async () => {
    const url = await raw((socket) => socket.end('HTTP/1.1 200 OK\r\ncontent-length: 50\r\n\r\n{"vms":'));
    expect((await failure(driverTo({ url }).status())).kind).toBe('unreachable');
  });

  it('treats anything but HTTP as a bad reply', async () => {
    const url = await raw((socket) => socket.end('SSH-2.0-OpenSSH_9.2\r\n'));
    expect(await failure(driverTo({ url }).status())).toMatchObject({ kind: 'bad_reply', retryable: false });
  });

  it('retries when a kept-alive connection was closed, but never repeats a change', async () => {
    const reply = (body: string) => `HTTP/1.1 200 OK\r\ncontent-length: ${body.length}\r\n\r\n${body}`;
    let asked = 0;
    const url = await raw((socket, nth) => {
      asked += 1;
      if (nth % 2 === 1) socket.resetAndDestroy();
      else socket.end(reply('{"version":"0.6.0"}'));
    });
    expect((await driverTo({ url }).version()).version).toBe('0.6.0');
    expect(asked).toBe(2);
    expect((await failure(driverTo({ url }).startVm('x'))).ambiguous).toBe(true);
    expect(asked).toBe(3);
  });

  it("rejects with an aborted signal's reason", async () => {
    const driver = driverTo({ url: await raw(() => {}) });
    const stop = new AbortController();
    const waiting = driver.status({}, { signal: stop.signal });
    const reason = new Error('client left');
    stop.abort(reason);
    await expect(waiting).rejects.toBe(reason);
    await expect(driver.status({}, { signal: stop.signal })).rejects.toBe(reason);
  });

  it('limits concurrent calls to a host; one that waits too long is never sent', async () => {
    const { vmm, driver } = await pair({}, { in_flight: 2, slow_write_ms: 150, read_ms: 5_000 });
    let now = 0;
    let most = 0;
    const held: (() => void)[] = [];
    vmm.on('/prpc/Status', (_, response) => {
      most = Math.max(most, (now += 1));
      held.push(() => {
        now -= 1;
        response.end('{}');
      });
    });
    const calls = Array.from({ length: 6 }, () => driver.status());
    expect(await failure(driver.createVm(spec))).toMatchObject({ kind: 'timeout', ambiguous: false });
    expect(vmm.requests.some((p) => p.includes('CreateVm'))).toBe(false);
    let done = false;
    const all = Promise.all(calls).then(() => (done = true));
    while (!done) {
      held.splice(0).forEach((answer) => answer());
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
    await all;
    expect(most).toBe(2);
  });
});
