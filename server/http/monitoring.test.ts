import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestServer, type TestServer } from '../testing/server';

const ENVELOPE = [
  JSON.stringify({ event_id: '9ec79c33ec9942ab8353589fcb2e04dc', sent_at: '2026-11-21T00:00:00Z' }),
  JSON.stringify({ type: 'event' }),
  JSON.stringify({
    environment: 'production',
    release: 'teehouse@0.1.0',
    exception: { values: [{ type: 'TypeError', value: 'x is not a function' }] },
  }),
].join('\n');

describe('POST /monitoring without a configured service', () => {
  let server: TestServer;
  beforeAll(async () => {
    server = await startTestServer();
  });
  afterAll(() => server?.stop());
  const send = (query: string, body: string = ENVELOPE) =>
    fetch(`${server.url}/monitoring${query}`, { method: 'POST', body });

  it('returns 200 and stores the envelope, readable only by administrators', async () => {
    expect((await send('?o=12&p=34&r=de')).status).toBe(200);
    const admin = await server.register();
    const list = await admin.call('listAdminMonitoringEvents');
    expect(list.body[0]).toMatchObject({
      organization: '12',
      project: '34',
      kind: 'event',
      message: 'TypeError: x is not a function',
      environment: 'production',
      release: 'teehouse@0.1.0',
    });
    const member = await server.register();
    expect((await member.call('listAdminMonitoringEvents')).status).toBe(403);
  });

  it.each([
    ['no organization', '?p=34'],
    ['letters for digits', '?o=1a&p=34'],
    ['a host name smuggled in', '?o=1&p=34%2F..%2Fx'],
    ['an unknown region', '?o=1&p=2&r=evil.example'],
  ])('rejects %s', async (_, query) => {
    const before = await count();
    expect((await send(query)).status).toBe(400);
    expect(await count()).toBe(before);
  });

  it('rejects malformed and oversized envelopes', async () => {
    expect((await send('?o=1&p=2', 'hello')).status).toBe(400);
    expect((await send('?o=1&p=2', `${ENVELOPE}\n${'x'.repeat(600 * 1024)}`)).status).toBe(413);
  });

  it.each([
    ['a replay', 'replay_recording'],
    ['an attachment', 'attachment'],
  ])('rejects %s', async (_, type) => {
    const before = await count();
    expect((await send('?o=1&p=2', `${ENVELOPE}\n${JSON.stringify({ type })}\n{}`)).status).toBe(400);
    expect(await count()).toBe(before);
  });

  it('rejects an item longer than the envelope, and more items than a page sends', async () => {
    const item = `${JSON.stringify({ type: 'event' })}\n{}`;
    expect((await send('?o=1&p=2', `{}\n${JSON.stringify({ type: 'event', length: 1e9 })}\n{}`)).status).toBe(
      400,
    );
    expect((await send('?o=1&p=2', ['{}', ...Array<string>(101).fill(item)].join('\n'))).status).toBe(400);
  });

  it('drops traces, which nothing here could display', async () => {
    const before = await count();
    const trace = `{}\n${JSON.stringify({ type: 'transaction' })}\n${JSON.stringify({ transaction: '/login' })}`;
    expect((await send('?o=1&p=2', trace)).status).toBe(200);
    expect(await count()).toBe(before);
  });

  it('limits how much one address may send', async () => {
    const answers = await Promise.all(Array.from({ length: 140 }, () => send('?o=1&p=2')));
    expect(
      answers.some((answer) => answer.status === 429 && answer.headers.get('retry-after') !== null),
    ).toBe(true);
  });

  const count = async () =>
    (await server.services.db.selectFrom('monitoring_events').select('id').execute()).length;
});

describe('POST /monitoring with a configured service', () => {
  let server: TestServer;
  let service: Server;
  const got: { url: string; body: string }[] = [];
  beforeAll(async () => {
    service = createServer((req, res) => {
      let body = '';
      req.on('data', (chunk: Buffer) => (body += chunk.toString()));
      req.on('end', () => {
        got.push({ url: req.url ?? '', body });
        res.writeHead(200).end('{}');
      });
    }).listen(0, '127.0.0.1');
    await new Promise((resolve) => service.once('listening', resolve));
    const { port } = service.address() as AddressInfo;
    server = await startTestServer({
      env: { SENTRY_DSN: `http://publickey@127.0.0.1:${port}/errors/34`, SENTRY_ALLOWED: '12/34' },
    });
  });
  afterAll(async () => {
    await server?.stop();
    service?.close();
  });

  it('forwards envelopes of the allowed organization and project byte for byte', async () => {
    const answer = await fetch(`${server.url}/monitoring?o=12&p=34`, { method: 'POST', body: ENVELOPE });
    expect(answer.status).toBe(200);
    expect(got).toEqual([
      { url: '/errors/api/34/envelope/?sentry_key=publickey&sentry_version=7', body: ENVELOPE },
    ]);
    const admin = await server.register();
    const list = await admin.call('listAdminMonitoringEvents');
    expect(list.body).toMatchObject([
      { message: 'TypeError: x is not a function', destination: 'forwarded', last_error: null, envelope: '' },
    ]);
  });

  it("forwards a self-hosted service's envelopes, and traces without storing them", async () => {
    got.length = 0;
    const trace = `{}\n${JSON.stringify({ type: 'transaction' })}\n${JSON.stringify({ transaction: '/login' })}`;
    const rows = () => server.services.db.selectFrom('monitoring_events').select('id').execute();
    const before = await rows();
    expect((await fetch(`${server.url}/monitoring?o=0&p=34`, { method: 'POST', body: trace })).status).toBe(
      200,
    );
    expect(got).toEqual([
      { url: '/errors/api/34/envelope/?sentry_key=publickey&sentry_version=7', body: trace },
    ]);
    expect(await rows()).toEqual(before);
  });

  it('forwards nothing else', async () => {
    got.length = 0;
    expect(
      (await fetch(`${server.url}/monitoring?o=12&p=35`, { method: 'POST', body: ENVELOPE })).status,
    ).toBe(403);
    expect(
      (await fetch(`${server.url}/monitoring?o=13&p=34`, { method: 'POST', body: ENVELOPE })).status,
    ).toBe(403);
    expect(got).toEqual([]);
  });

  it('stores the report of a page that never received its settings', async () => {
    got.length = 0;
    const rows = () => server.services.db.selectFrom('monitoring_events').select('destination').execute();
    const before = await rows();
    expect((await fetch(`${server.url}/monitoring?o=0&p=0`, { method: 'POST', body: ENVELOPE })).status).toBe(
      200,
    );
    expect((await rows()).slice(before.length)).toEqual([{ destination: 'kept' }]);
    expect(got).toEqual([]);
  });

  it('stores an envelope that the service rejected', async () => {
    await new Promise((resolve) => service.close(resolve).closeAllConnections());
    expect(
      (await fetch(`${server.url}/monitoring?o=12&p=34`, { method: 'POST', body: ENVELOPE })).status,
    ).toBe(200);
    const rows = await server.services.db
      .selectFrom('monitoring_events')
      .select(['destination', 'envelope'])
      .where('destination', '=', 'failed')
      .execute();
    expect(rows).toEqual([{ destination: 'failed', envelope: ENVELOPE }]);
  });
});
