import { parseWebhookEvent } from '@phala/cloud/webhook';
import { describe, expect, it } from 'vitest';
import { listOf, type OutboundPolicy } from '../../domain/core/outbound';
import { newSecret, RETRY_SECONDS } from '../../domain/webhooks/webhook';
import { createDnsDriver } from '../../drivers/dns/resolver';
import type { Resolve } from '../../drivers/net/checkedAddresses';
import { createOutbound } from '../../drivers/net/outbound';
import { startDnsServer } from '../../testing/dnsServer';
import { startReceiver, type Receiver } from '../../testing/webhookReceiver';
import {
  prepareDeliveries,
  ending,
  receiver,
  team,
  at,
  sender,
  pass,
  run,
  hook,
  queue,
  row,
  webhookRow,
  events,
  verified,
} from '../core/testing/deliveries';

prepareDeliveries();

describe('a delivery', () => {
  it('is accepted by the published verifier, with the headers the service documents', async () => {
    const { webhook, secret } = await hook();
    const delivery = await queue(webhook);
    await run(sender());
    const [got] = receiver.received;
    expect(verified(secret)(got!)).toMatchObject({
      id: delivery.event_id,
      event: 'cvm.created',
      version: '1',
      workspace: { id: team.slug, name: team.name },
      data: { cvm_name: 'grüße 茶', status: 'running' },
    });
    expect(got!.headers).toMatchObject({
      'content-type': 'application/json',
      'user-agent': 'PhalaCloud-Webhook/1.0',
      'x-webhook-id': delivery.event_id,
      'x-webhook-event': 'cvm.created',
    });
    expect(delivery.event_id).toMatch(/^evt_[0-9a-f]{16}$/);
    expect(() => verified(newSecret())(got!)).toThrow('Invalid webhook signature');
    expect(await row(delivery)).toMatchObject({ state: 'delivered', tries: 1, next_attempt_at: null });
    expect((await row(delivery)).attempts).toMatchObject([{ status: 204, error: null, message: null }]);
  });

  it('is attempted four times, after a minute, ten minutes and an hour, as the same event', async () => {
    receiver.answer = (_one, res) => void res.writeHead(503).end('the cause, in secret words');
    const { webhook, secret } = await hook();
    const delivery = await queue(webhook);
    const one = sender();
    await run(one);
    for (const seconds of RETRY_SECONDS) {
      const tried = receiver.received.length;
      const pending = await row(delivery);
      expect(pending.state).toBe('pending');
      expect(pending.next_attempt_at!.getTime() - at.getTime()).toBe(seconds * 1000);
      pass(seconds - 1);
      await run(one);
      expect(receiver.received).toHaveLength(tried);
      pass(1);
      await run(one);
      expect(receiver.received).toHaveLength(tried + 1);
    }
    const failed = await row(delivery);
    expect(failed).toMatchObject({ state: 'failed', tries: 4, next_attempt_at: null });
    expect(failed.attempts.map(({ status, error }) => [status, error])).toEqual(
      Array(4).fill([503, 'status']),
    );
    expect(JSON.stringify(failed)).not.toContain('secret words');
    expect(new Set(receiver.received.map(({ headers }) => headers['x-webhook-id'])).size).toBe(1);
    expect(new Set(receiver.received.map(({ body }) => body)).size).toBe(1);
    // Each is signed for its own time, so that the last is as fresh as the first.
    const times = receiver.received.map(({ headers }) => Number(headers['x-webhook-timestamp']));
    expect(times.map((time) => time - times[0]!)).toEqual([0, 60, 660, 4260]);
    expect(() =>
      parseWebhookEvent({ ...receiver.received[3]!, secret, toleranceSeconds: 5000 }),
    ).not.toThrow();
    pass(100_000);
    await run(one);
    expect(receiver.received).toHaveLength(4);
    expect(await events()).toEqual(['webhook.failed']);
    receiver.answer = (_request, res) => void res.writeHead(200).end();
    await queue(webhook);
    await run(one);
    expect(await events()).toEqual(['webhook.failed', 'webhook.recovered']);
    expect(await webhookRow(webhook)).toMatchObject({ failing_since: null, failures: 0 });
  });

  it('follows no redirect', async () => {
    const inside = await startReceiver();
    ending.push(() => inside.close());
    receiver.answer = (_one, res) => void res.writeHead(302, { location: inside.url }).end();
    const delivery = await queue((await hook()).webhook);
    await run(sender());
    expect(inside.received).toEqual([]);
    expect((await row(delivery)).attempts).toMatchObject([{ status: 302, error: 'redirect' }]);
  });

  it.each<[string, Receiver['answer']]>([
    ['hangs', () => undefined],
    [
      'sends its head a byte at a time',
      (_one, res) => {
        const text = 'HTTP/1.1 200 OK\r\nx-padding: ';
        let sent = 0;
        const timer = setInterval(() => res.socket?.write(text[sent++] ?? 'x'), 20);
        res.on('close', () => clearInterval(timer));
      },
    ],
  ])('does not wait for a receiver that %s', async (_name, answer) => {
    receiver.answer = answer;
    const delivery = await queue((await hook()).webhook);
    await run(sender({ attempt_ms: 400 }));
    const [attempt] = (await row(delivery)).attempts;
    expect(attempt).toMatchObject({ status: null, error: 'timeout' });
  });

  it('reads nothing of a ten-megabyte or endless response', async () => {
    let written = 0;
    receiver.answer = (_one, res) => {
      res.writeHead(200);
      const write = () => {
        while (!res.destroyed && written < 10_000_000 && res.write(Buffer.alloc(65_536))) written += 65_536;
      };
      res.on('drain', write);
      write();
    };
    const delivery = await queue((await hook()).webhook);
    await run(sender());
    expect(await row(delivery)).toMatchObject({ state: 'delivered' });
    // Only what fits into the buffers of both ends.
    expect(written).toBeLessThan(8_000_000);
  });

  it('reports a refused connection with the reason', async () => {
    await receiver.close();
    const delivery = await queue((await hook()).webhook);
    await run(sender());
    const [attempt] = (await row(delivery)).attempts;
    expect(attempt).toMatchObject({ status: null, error: 'unreachable' });
    expect(attempt!.message).toContain('refuses connections');
  });
});

describe('a URL that resolves to a private address', () => {
  const strict: OutboundPolicy = { allow: listOf([]), loopback: false };

  it('is refused when sending, even if DNS answered differently when it was saved', async () => {
    const dns = await startDnsServer();
    ending.push(() => dns.close());
    const driver = createDnsDriver([dns.address]);
    const resolve: Resolve = async (host) =>
      (await driver.resolveAddresses(host)).map((address) => ({ address, family: 4 }));
    const url = new URL(`https://rebinding.example.test:${receiver.port}/hook`);
    const net = createOutbound(strict, resolve);
    ending.push(() => net.close());
    dns.set('rebinding.example.test', { type: 'A', value: '93.184.216.34' });
    await net.check(url);
    dns.set('rebinding.example.test', { type: 'A', value: '127.0.0.1' });
    const delivery = await queue((await hook(url.href)).webhook);
    await run(sender({ policy: strict, resolve }));
    expect((await row(delivery)).attempts).toMatchObject([{ status: null, error: 'refused' }]);
    expect(receiver.received).toEqual([]);
  });

  it.each([
    'https://127.0.0.1/',
    'https://[::1]/',
    'https://[::ffff:169.254.169.254]/',
    'https://0x7f000001/',
    'https://2130706433/',
    'https://10.1.2.3/',
    'https://100.64.0.1/',
    'http://93.184.216.34/',
  ])('is refused: %s', async (url) => {
    const delivery = await queue((await hook(url)).webhook);
    await run(sender({ policy: strict }));
    expect((await row(delivery)).attempts).toMatchObject([{ status: null, error: 'refused' }]);
  });
});
