import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, describe, expect, it } from 'vitest';
import { listOf } from '../../domain/core/outbound';
import type { OutboundError } from './index';
import type { Resolve } from './checkedAddresses';
import { createOutbound } from './outbound';

const answers =
  (...addresses: string[]): Resolve =>
  async () =>
    addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }));
const strict = { allow: listOf([]), loopback: false };
const local = { allow: listOf([]), loopback: true };
const closing: (() => Promise<unknown>)[] = [];
afterAll(() => Promise.all(closing.map((close) => close())));

function outbound(policy: typeof strict, resolve?: Resolve) {
  const made = createOutbound(policy, resolve);
  closing.push(() => made.close());
  return made;
}
async function serve(listener: RequestListener): Promise<number> {
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closing.push(async () => {
    server.closeAllConnections();
    server.close();
  });
  return (server.address() as AddressInfo).port;
}
const refusal = (work: Promise<unknown>) =>
  work.then(
    () => 'nothing was refused',
    (error: OutboundError) => error.kind,
  );

describe('a name that resolves to an internal address', () => {
  it.each([['127.0.0.1'], ['169.254.169.254'], ['8.8.8.8', '10.0.0.1'], ['::1'], ['fd00:ec2::254']])(
    'is rejected before anything is sent: %s',
    async (...addresses) => {
      const net = outbound(strict, answers(...addresses));
      expect(await refusal(net.check(new URL('https://idp.example.com')))).toBe('refused');
      expect(await refusal(net.fetch(new URL('https://idp.example.com')))).toBe('refused');
    },
  );

  it('is rejected if its address changes after the check', async () => {
    let asked = 0;
    const port = await serve((_req, res) => res.end('inside'));
    const net = outbound(strict, async () => [
      { address: asked++ === 0 ? '8.8.8.8' : '127.0.0.1', family: 4 },
    ]);
    const url = new URL(`https://rebinding.example.com:${port}`);
    await net.check(url);
    expect(await refusal(net.fetch(url))).toBe('refused');
    expect(asked).toBe(2);
  });

  it('is rejected as a bare address too', async () => {
    const net = outbound(strict);
    for (const url of [
      'https://127.0.0.1',
      'https://[::1]:8443/',
      'https://169.254.169.254/latest',
      'http://8.8.8.8',
    ])
      expect(await refusal(net.fetch(new URL(url)))).toBe('refused');
  });

  it('is reported if it has no address', async () => {
    const net = outbound(strict, async () => Promise.reject(new Error('ENOTFOUND')));
    expect(await refusal(net.check(new URL('https://nowhere.example.com')))).toBe('unknown_host');
  });
});

describe('a request', () => {
  it('connects to the checked address with the requested host name', async () => {
    const port = await serve((req, res) => {
      res.setHeader('x-seen-host', req.headers.host ?? '').end('hello');
    });
    const reply = await outbound(local, answers('127.0.0.1')).fetch(
      new URL(`http://idp.example.com:${port}/a`),
    );
    expect([reply.status, await reply.text(), reply.headers.get('x-seen-host')]).toEqual([
      200,
      'hello',
      `idp.example.com:${port}`,
    ]);
  });

  it('treats names below .localhost as this machine, which the policy must allow', async () => {
    const port = await serve((req, res) => res.end(req.headers.host));
    const url = new URL(`http://app-8080.cvm.localhost:${port}/`);
    expect(await (await outbound(local).fetch(url)).text()).toBe(url.host);
    expect(await refusal(outbound(strict).fetch(new URL(`https://app-8080.cvm.localhost:${port}/`)))).toBe(
      'refused',
    );
  });

  it('follows no redirect', async () => {
    let second = 0;
    const inside = await serve((_req, res) => {
      second += 1;
      res.end();
    });
    const port = await serve((_req, res) =>
      res.writeHead(302, { location: `http://127.0.0.1:${inside}/` }).end(),
    );
    const reply = await outbound(local).fetch(new URL(`http://127.0.0.1:${port}`));
    expect([reply.status, second]).toEqual([302, 0]);
  });

  it('respects the size limit and the deadline', async () => {
    const big = await serve((_req, res) => res.end(Buffer.alloc(5000)));
    const drip = await serve((_req, res) => {
      const timer = setInterval(() => res.write('x'), 20);
      res.on('close', () => clearInterval(timer));
    });
    const net = outbound(local);
    expect(await refusal(net.fetch(new URL(`http://127.0.0.1:${big}`), { max_bytes: 4999 }))).toBe(
      'too_large',
    );
    expect((await net.fetch(new URL(`http://127.0.0.1:${big}`), { max_bytes: 5000 })).status).toBe(200);
    // Bytes keep arriving, but the deadline covers the whole reply.
    expect(await refusal(net.fetch(new URL(`http://127.0.0.1:${drip}`), { timeout_ms: 300 }))).toBe(
      'timeout',
    );
  });

  it('reports a closed port', async () => {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    await new Promise((resolve) => server.close(resolve));
    expect(await refusal(outbound(local).fetch(new URL(`http://127.0.0.1:${port}`)))).toBe('unreachable');
  });
});
