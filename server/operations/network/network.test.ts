import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { pathOf as path, startNetworkWorld, type DeployedApp, type NetworkWorld } from './testing/world';

let world: NetworkWorld;
let { dns, owner, mine, here, gatewayPort } = {} as NetworkWorld;
beforeAll(async () => {
  world = await startNetworkWorld();
  ({ dns, owner, mine, here, gatewayPort } = world);
});
afterAll(() => world?.stop());
beforeEach(() => world.forgetLimits());

describe('CVM network', () => {
  it('lists published ports and their endpoints', async () => {
    const { status, body } = await owner.call('getCvmNetwork', { path: path(mine) });
    expect(status).toBe(200);
    expect(body).toMatchObject({
      is_online: false,
      gateway: {
        enabled: true,
        kind: 'dstack_vmm',
        cname: '_.gw.test',
        forms: ['http', 'tls', 'grpc'],
        domains_unserved: null,
      },
      handshake: { state: 'unknown' },
      host_ports: { supported: null },
    });
    expect(body.ports.map(({ port, reach }) => [port, reach])).toEqual([
      [443, 'public'],
      [80, 'public'],
      [9000, 'loopback'],
      [53, 'udp'],
    ]);
    expect(body.ports[0]?.endpoints.map(({ form, app }) => [form, app])).toContainEqual([
      'tls',
      `https://${mine.app.app_id}-443s.gw.test:${gatewayPort}`,
    ]);
    const local_network = (await owner.call('getCvmNetwork', { path: path(here) })).body;
    expect(local_network.gateway).toMatchObject({ forms: ['http'], cname: null });
    expect(local_network.gateway.domains_unserved).toMatch(/local teepod/);
    // Fields only for published clients of the older version.
    const old = await owner
      .with({ 'x-phala-version': '2025-10-28' })
      .call('getCvmNetwork', { path: path(mine) });
    expect(old.body.public_urls?.[0]?.app).toContain(mine.app.app_id);
  });

  it('is checked step by step', async () => {
    const check = (app: DeployedApp, body: Record<string, unknown>) =>
      owner.call('checkCvmNetwork', { path: path(app), body });
    const good = await check(here, { port: 80 });
    expect(good.body).toMatchObject({
      reachable: true,
      summary: 'Returned status 200.',
      what_to_do: null,
    });
    expect(good.body.steps.map(({ name, state }) => [name, state])).toEqual([
      ['dns', 'passed'],
      ['tcp', 'passed'],
      ['tls', 'skipped'],
      ['http', 'passed'],
    ]);
    // The name doesn't exist at the other host's gateway.
    const nowhere = await check(mine, { port: 443, form: 'tls' });
    expect(nowhere.body).toMatchObject({
      reachable: false,
      steps: [{ name: 'dns', state: 'failed' }, {}, {}, {}],
    });
    // The name exists, but its server has no TLS.
    dns.set(`${mine.app.app_id}-443s.gw.test`, { type: 'A', value: '127.0.0.1' });
    const plain = await check(mine, { port: 443, form: 'tls' });
    expect(plain.body.steps.map(({ state }) => state)).toEqual(['passed', 'passed', 'failed', 'skipped']);
    expect(plain.body.what_to_do).toMatch(/serve TLS on port 443/);
  });

  it('cannot be used to probe other addresses', async () => {
    const check = async (body: Record<string, unknown>, app = mine) =>
      (await owner.call('checkCvmNetwork', { path: path(app), body })).status;
    expect(await check({ port: 22 })).toBe(422);
    expect(await check({ port: 9000 })).toBe(422);
    expect(await check({})).toBe(422);
    expect(await check({ port: 80, form: 'grpc' }, here)).toBe(422);
    expect(await check({ url: 'http://169.254.169.254/' })).toBe(422);
    expect(await check({ domain_id: 'dom_0000000000000000' })).toBe(404);
    // A gateway name that resolves to an internal address isn't followed.
    dns.set(`${mine.app.app_id}-80.gw.test`, { type: 'A', value: '169.254.169.254' });
    const inside = await owner.call('checkCvmNetwork', { path: path(mine), body: { port: 80 } });
    expect(inside.body).toMatchObject({ reachable: false });
    expect(inside.body.steps[0]?.detail).toMatch(/not allowed/);
  });

  it('is limited to twenty checks a minute', async () => {
    const statuses = [];
    for (let i = 0; i < 21; i += 1)
      statuses.push((await owner.call('checkCvmNetwork', { path: path(mine), body: { port: 22 } })).status);
    expect(statuses.slice(0, 20).every((status) => status === 422)).toBe(true);
    expect(statuses[20]).toBe(429);
  });
});
