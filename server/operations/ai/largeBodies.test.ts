import { createHash } from 'node:crypto';
import { request as open, type ClientRequest, type IncomingMessage } from 'node:http';
import { connect } from 'node:net';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { AdminAiUpstream, AiRequestPage, CreatedAiKey } from '../../../generated/api/types.gen';
import { eventually, startTestServer, type TestClient, type TestServer } from '../../testing/server';
import { startModelServer, whole, type ModelServer } from './testing/modelServer';

/** Requests that are large because of images, or for no good reason. */
let server: TestServer;
let admin: TestClient;
let model: ModelServer;

const MIB = 1024 * 1024;

beforeAll(async () => {
  server = await startTestServer();
  admin = await server.register('admin@example.test');
  model = await startModelServer(whole);
  const added = await admin.call('createAdminAiUpstream', { body: { name: 'gpu-1', url: model.url } });
  const made = await admin.call('createAdminAiModel', {
    body: {
      model: 'acme/eyes',
      name: 'Eyes',
      context_length: 100_000,
      input_price: '3',
      cached_input_price: '3',
      output_price: '15',
      upstreams: [{ upstream_id: (added.body as AdminAiUpstream).id, model: 'Eyes-FP8' }],
    },
  });
  expect(made.status, JSON.stringify(made.body)).toBe(201);
});
afterAll(async () => {
  await server.stop();
  await model.stop();
});

/** Creates a separate team, because limits are per team. */
async function team() {
  const client = await server.register();
  const { secret } = (await client.call('createAiKey', { body: { name: 'Bot' } })).body as CreatedAiKey;
  const headers = { authorization: `Bearer ${secret}`, 'content-type': 'application/json' };
  const url = `${server.url}/v1/chat/completions`;
  return {
    client,
    secret,
    post: (body: string | Uint8Array<ArrayBuffer>, more: Record<string, string> = {}) =>
      fetch(url, { method: 'POST', headers: { ...headers, ...more }, body }),
    /** Sends only the headers, with `Content-Length` if given. */
    begin(more: Record<string, string | number>): { sent: ClientRequest; reply: Promise<Reply> } {
      const sent = open(url, { method: 'POST', headers: { ...headers, ...more }, agent: false });
      const reply = new Promise<Reply>((resolve, reject) => {
        sent.once('error', reject);
        sent.once('response', (res) => void replyOf(res).then(resolve, reject));
      });
      // Connections cut on purpose are no error.
      reply.catch(() => undefined);
      sent.flushHeaders();
      return { sent, reply };
    },
    requests: async () => ((await client.call('listAiRequests')).body as AiRequestPage).data,
  };
}

interface Reply {
  status: number | undefined;
  headers: IncomingMessage['headers'];
  error: Record<string, unknown>;
}

async function replyOf(res: IncomingMessage): Promise<Reply> {
  const parts: Buffer[] = [];
  for await (const part of res as AsyncIterable<Buffer>) parts.push(part);
  const { error } = JSON.parse(Buffer.concat(parts).toString()) as Pick<Reply, 'error'>;
  return { status: res.statusCode, headers: res.headers, error };
}

const errorOf = async (reply: Response) => ({
  status: reply.status,
  ...((await reply.json()) as { error: Record<string, unknown> }).error,
});

const image = (name: string, bytes: number) =>
  JSON.stringify({
    model: name,
    messages: [
      {
        role: 'user',
        content: [
          { type: 'text', text: 'What is this?' },
          { type: 'image_url', image_url: { url: `data:image/png;base64,${'A'.repeat(bytes)}` } },
        ],
      },
    ],
  });
const sha256 = (text: string) => `sha256:${createHash('sha256').update(text).digest('hex')}`;

const TOO_LARGE = { status: 413, code: 'request_too_large', message: 'The body is larger than 32 MiB.' };

describe('a large body', () => {
  it('reaches the model unchanged except for the model’s name there', async () => {
    const { post, secret } = await team();
    const body = image('acme/eyes', 20 * MIB);
    const reply = await post(body);
    expect(reply.status, reply.status === 200 ? '' : await reply.text()).toBe(200);
    const sent = model.calls.at(-1);
    const expected = body.replace('acme/eyes', 'Eyes-FP8');
    expect(sent?.body === expected).toBe(true);
    expect(sent?.headers['content-length']).toBe(String(expected.length));
    const receipt = await fetch(`${server.url}/v1/aci/receipts/${reply.headers.get('x-receipt-id')}`, {
      headers: { authorization: `Bearer ${secret}` },
    });
    expect(((await receipt.json()) as { event_log: object[] }).event_log).toMatchObject([
      { type: 'request.received', body_hash: sha256(body) },
      { type: 'request.forwarded', body_hash: sha256(expected) },
      {},
      {},
    ]);
  });

  it('may be compressed and chunked', async () => {
    const { post, begin } = await team();
    const body = image('acme/none', 3 * MIB);
    expect(await errorOf(await post(gzipSync(body), { 'content-encoding': 'gzip' }))).toMatchObject({
      status: 404,
      code: 'model_not_found',
    });
    const { sent, reply } = begin({ 'transfer-encoding': 'chunked' });
    for (let at = 0; at < body.length; at += 100_000) sent.write(body.slice(at, at + 100_000));
    sent.end();
    expect(await reply).toMatchObject({ status: 404, error: { code: 'model_not_found' } });
  });

  it('is refused above 32 MiB, before it is read if its length is known', async () => {
    const { post, begin, requests } = await team();
    const announced = begin({ 'content-length': 33 * MIB });
    expect(await announced.reply).toMatchObject({ status: 413, error: { code: 'request_too_large' } });
    announced.sent.destroy();
    const long = Buffer.alloc(33 * MIB, 'x');
    const { sent, reply } = begin({ 'transfer-encoding': 'chunked' });
    sent.end(long);
    expect(await reply).toMatchObject({ status: 413, error: { code: 'request_too_large' } });
    const bomb = gzipSync(Buffer.alloc(64 * MIB));
    expect(bomb.length).toBeLessThan(MIB);
    expect(await errorOf(await post(bomb, { 'content-encoding': 'gzip' }))).toMatchObject(TOO_LARGE);
    expect(await requests()).toEqual([]);
  });

  it('is refused when it cannot be decompressed', async () => {
    const { post } = await team();
    for (const encoding of ['gzip', 'br', 'zstd'])
      expect(await errorOf(await post('{"model":"a"}', { 'content-encoding': encoding }))).toMatchObject({
        status: 400,
        type: 'invalid_request_error',
      });
  });

  it('is refused before parsing if it is nothing but structure', async () => {
    const { post } = await team();
    const filled = (head: string, part: string) =>
      post(head + part.repeat((32 * MIB - head.length) / part.length));
    expect(await errorOf(await filled('', '['))).toMatchObject({
      status: 400,
      message: 'The body is nested deeper than 100 levels.',
    });
    expect(await errorOf(await filled('{"model":"acme/eyes","messages":[[]', ',[]'))).toMatchObject({
      status: 400,
      message: expect.stringMatching(/^The body has more than 1.048.576 values\.$/) as string,
    });
    expect(await errorOf(await filled('{"model":"acme/eyes","messages":[{}', ',{}'))).toMatchObject({
      status: 400,
      message: expect.stringMatching(/^The body has more than 100.000 objects\.$/) as string,
    });
  });
});

describe('concurrent large bodies', () => {
  it('are admitted as memory allows, and slow ones leave room for short requests', async () => {
    const { post, begin } = await team();
    // None of them sends anything yet.
    const slow = Array.from({ length: 4 }, () => begin({ 'content-length': 32 * MIB }));
    const refused = await Promise.any(slow.map(({ reply }) => reply));
    expect(refused).toMatchObject({
      status: 429,
      headers: { 'retry-after': '1' },
      error: { type: 'rate_limit_error', code: 'too_many_concurrent_requests' },
    });
    // A body of unknown length, once it gets long.
    const parts = begin({ 'transfer-encoding': 'chunked' });
    parts.sent.end(Buffer.alloc(MIB, ' '));
    expect(await parts.reply).toMatchObject({ status: 429, headers: { 'retry-after': '1' } });
    const messages = [{ role: 'user', content: 'Hi' }];
    expect((await post(JSON.stringify({ model: 'teehouse/echo', messages }))).status).toBe(200);
    // Another team has room.
    const other = await team();
    const text = Buffer.alloc(20 * MIB, 'x');
    expect((await other.post(text)).status).toBe(400);
    for (const { sent } of slow) sent.destroy();
    await eventually('the room is given back', async () => (await post(text)).status === 400);
  });

  it('count with their announced length until they end, and end if it was wrong', async () => {
    const { secret, requests, post } = await team();
    const { hostname, port } = new URL(server.url);
    const raw = (length: number, body: string) =>
      new Promise<string>((resolve) => {
        let answered = '';
        const socket = connect(Number(port), hostname, () => {
          socket.write(
            `POST /v1/chat/completions HTTP/1.1\r\nHost: ${hostname}\r\nAuthorization: Bearer ${secret}\r\nContent-Length: ${length}\r\n\r\n${body}`,
          );
          if (body.length < length) socket.end();
        });
        socket.on('data', (bytes) => (answered += bytes.toString()));
        socket.on('error', () => undefined);
        socket.once('close', () => resolve(answered));
      });
    const body = JSON.stringify({ model: 'teehouse/echo', messages: [{ role: 'user', content: 'Hi' }] });
    // Shorter than announced: no request is made.
    await Promise.all(Array.from({ length: 3 }, () => raw(32 * MIB, body)));
    expect(await requests()).toEqual([]);
    // Longer: the rest is neither part of it nor a separate request.
    expect(await raw(body.length, `${body}{"model":"x"}`)).toMatch(/^HTTP\/1\.1 400 /);
    await eventually('the room is given back', async () => {
      const reply = await post(Buffer.alloc(32 * MIB, 'x'));
      return reply.status === 400;
    });
  });
});
