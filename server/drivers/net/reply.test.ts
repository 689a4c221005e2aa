import { createServer, type RequestListener, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { afterAll, expect, it } from 'vitest';
import { listOf } from '../../domain/core/outbound';
import { createOutbound } from './outbound';

/* Replies with a streamed body. */

const net = createOutbound({ allow: listOf([]), loopback: true });
const closing: (() => void)[] = [];
afterAll(async () => {
  await net.close();
  for (const close of closing) close();
});

/** Serves on a free port. @returns its address, and the connections made to it so far */
async function serve(listener: RequestListener): Promise<{ url: URL; connections: Set<Socket> }> {
  const connections = new Set<Socket>();
  const server = createServer(listener).on('connection', (socket) => connections.add(socket));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closing.push(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/path?q=1`), connections };
}
/** More than the connections of an unread reply can buffer. */
const LONG = 32 * 1024 * 1024;
const text = async (body: AsyncIterable<Uint8Array>) => {
  let read = '';
  for await (const part of body) read += Buffer.from(part).toString('utf8');
  return read;
};
const reasonOf = (work: Promise<unknown>) => work.then(() => null).catch((error: unknown) => error);

it('sends the request and returns the reply', async () => {
  const { url } = await serve((req, res) => {
    res.writeHead(203, { 'X-Path': req.url, 'X-Twice': ['a', 'b'] });
    req.pipe(res);
  });
  const reply = await net.open(url, { method: 'POST', body: [Buffer.from('one '), Buffer.from('two')] });
  expect(reply).toMatchObject({ status: 203, headers: { 'x-path': '/path?q=1', 'x-twice': 'a,b' } });
  expect(await text(reply.body)).toBe('one two');
});

it('reads no further than its reader', async () => {
  let sent = 0;
  const { url } = await serve((_req, res) => {
    const more = () => {
      while (sent < LONG) {
        sent += 65_536;
        if (!res.write(Buffer.alloc(65_536))) return void res.once('drain', more);
      }
      res.end();
    };
    more();
  });
  const reply = await net.open(url);
  await expect
    .poll(async () => {
      const before = sent;
      await new Promise((resolve) => setTimeout(resolve, 100));
      return sent - before;
    })
    .toBe(0);
  expect(sent).toBeLessThan(LONG);
  let size = 0;
  for await (const part of reply.body) size += part.byteLength;
  expect(size).toBe(LONG);
});

it('limits each wait, not the whole reply', async () => {
  const answers: ServerResponse[] = [];
  const { url } = await serve((_req, res) => {
    answers.push(res);
    if (answers.length === 1) {
      let parts = 0;
      const timer = setInterval(() => {
        if (++parts <= 8) return void res.write('x');
        clearInterval(timer);
        res.end();
      }, 300);
    } else if (answers.length === 2) res.write('x');
  });
  const slow = await net.open(url, { timeout_ms: 2000 });
  expect(await text(slow.body)).toBe('xxxxxxxx');
  const stuck = await net.open(url, { timeout_ms: 200 });
  expect(await reasonOf(text(stuck.body))).toMatchObject({ kind: 'timeout' });
  expect(await reasonOf(net.open(url, { timeout_ms: 200 }))).toMatchObject({ kind: 'timeout' });
  // The other side learns that the reader has left.
  await expect.poll(() => answers.slice(1).map((res) => res.closed)).toEqual([true, true]);
});

it('does not count the time without a reader', async () => {
  const { url } = await serve((_req, res) => {
    res.write('a');
    setTimeout(() => res.end('b'), 100);
  });
  const reply = await net.open(url, { timeout_ms: 1500 });
  await new Promise((resolve) => setTimeout(resolve, 1700));
  expect(await text(reply.body)).toBe('ab');
});

it('ends with the reason of its signal, before and while it is read', async () => {
  const { url } = await serve((req, res) => void (req.url === '/path?q=1' ? res.write('x') : undefined));
  const reason = new Error('no longer wanted');
  const leave = new AbortController();
  const reply = await net.open(url, { signal: leave.signal });
  const reading = reasonOf(text(reply.body));
  const waiting = reasonOf(net.open(new URL('/other', url), { signal: leave.signal }));
  setTimeout(() => leave.abort(reason), 100);
  expect(await reading).toBe(reason);
  expect(await waiting).toBe(reason);
  expect(await reasonOf(net.open(url, { signal: leave.signal }))).toBe(reason);
  expect(await reasonOf(text(reply.body))).toBe(reason);
});

it('reports a reply that breaks off', async () => {
  const { url } = await serve((_req, res) => {
    res.write('x', () => setTimeout(() => res.destroy(), 50));
  });
  const reply = await net.open(url);
  expect(await reasonOf(text(reply.body))).toMatchObject({ kind: 'unreachable' });
});

it('keeps the connection of a reply whose reader stops shortly before the end, and no others', async () => {
  const { url, connections } = await serve((req, res) => {
    res.write('first');
    setTimeout(() => {
      if (req.method === 'GET') res.end('last');
      else res.write(Buffer.alloc(20_000));
    }, 50);
  });
  const readFirst = async (method: string) => {
    const { body } = await net.open(url, { method });
    for await (const _part of body) break;
  };
  await readFirst('GET');
  await new Promise((resolve) => setTimeout(resolve, 200));
  await readFirst('POST');
  expect(connections.size).toBe(1);
  await expect.poll(() => [...connections].every((socket) => socket.destroyed)).toBe(true);
});
