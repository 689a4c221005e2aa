import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { NEW_OWN_SERVER, type OwnServer } from './ownServer';
import { bridge, KEY, LIST, post, stopPrograms } from './testing/deployed';

const servers: Server[] = [];
afterEach(() => {
  stopPrograms();
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    server.close();
  }
});

describe('a server that speaks HTTP', () => {
  const http: OwnServer = {
    ...NEW_OWN_SERVER,
    name: 'notes',
    version: '1.4.2',
    transport: 'http',
    path: '/api/mcp',
  };
  async function upstream(answer: RequestListener): Promise<number> {
    const server = createServer(answer).listen(0, '127.0.0.1');
    servers.push(server);
    await once(server, 'listening');
    return (server.address() as AddressInfo).port;
  }

  it('gets the protocol’s headers without the key, and its stream is passed on unchanged', async () => {
    let seen: { url: string | undefined; headers: Record<string, unknown>; body: string } | undefined;
    const port = await upstream((req, res) => {
      let body = '';
      req.on('data', (part) => (body += String(part)));
      req.on('end', () => {
        seen = { url: req.url, headers: req.headers, body };
        res.writeHead(200, {
          'content-type': 'text/event-stream',
          'mcp-session-id': 's1',
          'set-cookie': 'a=b',
        });
        res.write('data: {"jsonrpc":"2.0",');
        res.end('"id":1,"result":{}}\n\n');
      });
    });
    const url = await bridge(http, port);
    const reply = await post(url, LIST, {
      'mcp-session-id': 's1',
      cookie: 'c=d',
      'x-forwarded-for': '1.2.3.4',
    });
    expect(await reply.text()).toBe('data: {"jsonrpc":"2.0","id":1,"result":{}}\n\n');
    expect(reply.headers.get('mcp-session-id')).toBe('s1');
    expect(reply.headers.has('set-cookie')).toBe(false);
    expect(seen).toMatchObject({
      url: '/api/mcp',
      headers: { host: `localhost:${port}`, 'mcp-session-id': 's1' },
      body: JSON.stringify(LIST),
    });
    for (const name of ['authorization', 'cookie', 'x-forwarded-for'])
      expect(seen?.headers).not.toHaveProperty(name);
    expect(JSON.stringify(seen)).not.toContain(KEY);
  });

  it('is notified that the client left', async () => {
    let told = (): void => undefined;
    const left = new Promise<void>((resolve) => (told = resolve));
    const port = await upstream((_req, res) => {
      res.writeHead(200, { 'content-type': 'text/event-stream' }).write(': open\n\n');
      res.on('close', told);
    });
    const client = new AbortController();
    const url = await bridge(http, port);
    await fetch(url, { headers: { authorization: `Bearer ${KEY}` }, signal: client.signal });
    client.abort();
    await left;
  });

  it('keeps so many streams open for a key, and another once one has ended', async () => {
    const port = await upstream((_req, res) =>
      res.writeHead(200, { 'content-type': 'text/event-stream' }).write(': open\n\n'),
    );
    const url = await bridge(http, port);
    const clients = Array.from({ length: 32 }, () => new AbortController());
    const open = (signal?: AbortSignal) =>
      fetch(url, { headers: { authorization: `Bearer ${KEY}` }, signal: signal ?? null });
    for (const { signal } of clients) expect((await open(signal)).status).toBe(200);
    const refused = await open();
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '60']);
    clients[0]?.abort();
    await expect.poll(async () => (await open()).status).toBe(200);
  });

  it('isn’t followed to another address, and its absence is reported', async () => {
    const url = await bridge(
      http,
      await upstream((_req, res) => res.writeHead(307, { location: '/mcp/' }).end()),
    );
    const redirected = await post(url, LIST);
    expect([redirected.status, await redirected.text()]).toEqual([502, expect.stringContaining('redirect')]);
    const gone = await bridge(http, await upstream((req) => req.socket.destroy()));
    expect((await post(gone, LIST)).status).toBe(502);
  });
});
