import type { LookupFunction } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { selfSigned } from '../../testing/certificate';
import { readAll } from './contract';
import { startFakeVmm, type FakeVmm } from './fake';
import type { VmmDriver } from './index';
import { createVmmDriver } from './rpc';

const instance_id = 'ab'.repeat(20);
const domain = 'gateway.example';
const name = `${instance_id}-8090.${domain}`;
const vm = { id: 'v', app_id: 'cd'.repeat(20), instance_id, app_url: null as string | null };

describe('container logs', () => {
  let gateway: FakeVmm;
  let vmm: FakeVmm;
  let driver: VmmDriver;
  let authorization: string | undefined;
  const toLoopback: LookupFunction = (_, options, callback) =>
    options.all ? callback(null, [{ address: '127.0.0.1', family: 4 }]) : callback(null, '127.0.0.1', 4);

  beforeAll(async () => {
    const tls = selfSigned(`*.${domain}`);
    gateway = await startFakeVmm({ tls });
    gateway.on('/logs/web', (request, response) => {
      authorization = request.headers.authorization;
      response.writeHead(200, { 'content-type': 'application/x-ndjson' }).end('from the agent\n');
    });
    gateway.on('/logs/private', (_, response) => response.writeHead(403).end('logs are not public'));
    gateway.on('/logs/moved', (_, response) =>
      response.writeHead(302, { location: 'http://10.0.0.1/' }).end(),
    );
    vmm = await startFakeVmm({ token: 't' });
    driver = createVmmDriver(
      { url: vmm.url, credential: { type: 'bearer', token: 't' }, gateway_tls: { ca: tls.cert } },
      { lookup: toLoopback },
    );
  });
  afterAll(async () => {
    await driver?.close();
    await gateway?.close();
    await vmm?.close();
  });
  const appUrl = () => `https://${name}:${new URL(gateway.url).port}`;

  it("come from the guest agent through the gateway, which never sees the host's credential", async () => {
    const { status, content_type, body } = await driver.containerLogs({
      vm: { ...vm, app_url: appUrl() },
      container: 'web',
      query: { tail: 5, since: '10m', follow: false, text: true, bare: true, timestamps: false },
    });
    expect([status, content_type]).toEqual([200, 'application/x-ndjson']);
    expect(await readAll(body)).toBe('from the agent\n');
    expect(gateway.requests.at(-1)).toBe('/logs/web?text&bare&since=10m&tail=5');
    expect(authorization).toBeUndefined();
    expect(vmm.requests).toEqual([]);
  });

  it("pass on the agent's own refusal and never follow a redirect", async () => {
    for (const [container, expected] of [
      ['private', 403],
      ['moved', 302],
    ] as const) {
      const { status, body } = await driver.containerLogs({ vm: { ...vm, app_url: appUrl() }, container });
      expect(status).toBe(expected);
      await readAll(body);
    }
  });

  it.each([
    'http://169.254.169.254/latest',
    'https://10.0.0.1/',
    'https://internal.example/',
    `https://user:pass@${name}/`,
    `http://${name}/`,
    'nonsense',
  ])('are not fetched from %s, even if a host claims it', async (app_url) => {
    const before = gateway.requests.length;
    await expect(driver.containerLogs({ vm: { ...vm, app_url }, container: 'web' })).rejects.toMatchObject({
      kind: 'bad_reply',
    });
    expect(gateway.requests).toHaveLength(before);
  });

  it('are not fetched from a server that the host passes off as its VM', async () => {
    const before = gateway.requests.length;
    const app_url = appUrl().replace(/\/\/[0-9a-f]+-/, '//internal-');
    const claimed = { ...vm, app_id: 'internal', instance_id: null, app_url };
    await expect(driver.containerLogs({ vm: claimed, container: 'web' })).rejects.toMatchObject({
      kind: 'bad_reply',
    });
    expect(gateway.requests).toHaveLength(before);
  });

  it('require a public address and a valid name', async () => {
    await expect(driver.containerLogs({ vm, container: 'web' })).rejects.toMatchObject({
      kind: 'unsupported',
    });
    const here = { ...vm, app_url: appUrl() };
    for (const container of ['..', '../x', 'a/b', '', 'a?b'])
      await expect(driver.containerLogs({ vm: here, container })).rejects.toMatchObject({ kind: 'rejected' });
  });

  it('come through the built-in teepod with its credential', async () => {
    const local = createVmmDriver({ url: vmm.url, agent: 'vmm', credential: { type: 'bearer', token: 't' } });
    const denied = createVmmDriver({ url: vmm.url, agent: 'vmm' });
    const missing = await local.containerLogs({ vm, container: 'web', query: { follow: true } });
    expect(missing.status).toBe(404);
    await readAll(missing.body);
    expect(vmm.requests.at(-1)).toBe(`/agent/${instance_id}/logs/web?follow`);
    await expect(denied.containerLogs({ vm, container: 'web' })).rejects.toMatchObject({
      kind: 'unauthorized',
    });
    await expect(
      local.containerLogs({ vm: { ...vm, instance_id: null }, container: 'web' }),
    ).rejects.toMatchObject({
      kind: 'unsupported',
    });
    await Promise.all([local.close(), denied.close()]);
  });
});
