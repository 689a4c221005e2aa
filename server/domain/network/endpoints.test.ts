import { describe, expect, it } from 'vitest';
import { composeFacts } from '../apps/composeFacts';
import { domainsUnserved, domainUrl, endpointsOf, portPolicy, publishedPorts } from './endpoints';
import { readHandshake } from '../attestation/handshake';

const APP = 'a'.repeat(40);
const ONE = 'b'.repeat(40);
const ids = { app_id: APP, instance_id: ONE };
const host = { kind: 'dstack_vmm' as const, gateway_base_domain: 'gw.example.com' };

describe('addresses of a port', () => {
  it('have three forms at a dstack gateway', () => {
    expect(endpointsOf(8080, ids, host)).toEqual([
      {
        form: 'http',
        app: `https://${APP}-8080.gw.example.com`,
        instance: `https://${ONE}-8080.gw.example.com`,
      },
      {
        form: 'tls',
        app: `https://${APP}-8080s.gw.example.com`,
        instance: `https://${ONE}-8080s.gw.example.com`,
      },
      {
        form: 'grpc',
        app: `https://${APP}-8080g.gw.example.com`,
        instance: `https://${ONE}-8080g.gw.example.com`,
      },
    ]);
  });
  it("have one form at the local teepod, on its gateway's port", () => {
    expect(
      endpointsOf(
        80,
        { ...ids, instance_id: null },
        { kind: 'local', gateway_base_domain: 'cvm.localhost:9001' },
      ),
    ).toEqual([{ form: 'http', app: `http://${APP}-80.cvm.localhost:9001`, instance: null }]);
  });
  it('are empty without a gateway', () => {
    expect(endpointsOf(80, ids, { ...host, gateway_base_domain: null })).toEqual([]);
  });
  it('include the gateway’s port for a domain when it is not the default', () => {
    expect([domainUrl('a.test', 'gw.test'), domainUrl('a.test', 'gw.test:8443')]).toEqual([
      'https://a.test',
      'https://a.test:8443',
    ]);
  });
});

describe('ports of a compose file', () => {
  const docker_compose_file = `services:
  web:
    image: nginx
    ports:
      - "80:8080"
      - "127.0.0.1:9000:9000"
      - "5353:53/udp"
      - "3000"
      - "\${PORT}:80"
  db:
    image: postgres
    expose: ["5432"]
    ports:
      - target: 5432
        published: 15432
`;
  const app_compose = JSON.stringify({ manifest_version: 2, runner: 'docker-compose', docker_compose_file });
  const entries = composeFacts({ compose_hash: 'one', app_compose }).published;
  const read = (change: Partial<Parameters<typeof publishedPorts>[2]> = {}) =>
    publishedPorts(entries, ids, {
      ...host,
      enabled: true,
      policy: { restrict: false, ports: [] },
      ...change,
    }).map(({ service, container_port, port, reach, endpoints }) => [
      service,
      container_port,
      port,
      reach,
      endpoints.length,
    ]);

  it('are listed with who can reach them', () => {
    expect(read()).toEqual([
      ['web', 8080, 80, 'public', 3],
      ['web', 9000, 9000, 'loopback', 0],
      ['web', 53, 5353, 'udp', 0],
      ['web', 3000, null, 'undetermined', 0],
      ['web', null, null, 'undetermined', 0],
      ['db', 5432, 15432, 'public', 3],
    ]);
  });
  it('are unreachable while the gateway is off', () => {
    expect(read({ enabled: false }).filter(([, , , reach]) => reach === 'gateway_off')).toHaveLength(2);
  });
  it('can be closed by the app’s own policy', () => {
    const policy = portPolicy({ port_policy: { restrict_mode: true, ports: [{ port: 80, pp: true }] } });
    expect(read({ policy }).map(([, , port, reach]) => [port, reach])).toContainEqual([15432, 'restricted']);
    expect(read({ policy })[0]).toEqual(['web', 8080, 80, 'public', 3]);
    expect(portPolicy({ port_policy: 'nonsense' })).toEqual({ restrict: false, ports: [] });
  });
});

it('custom domains require a gateway that routes them', () => {
  expect(domainsUnserved(host, true)).toBeNull();
  expect(domainsUnserved(host, false)).toMatch(/off/);
  expect(domainsUnserved({ ...host, kind: 'local' }, true)).toMatch(/local teepod/);
  expect(domainsUnserved({ ...host, gateway_base_domain: null }, true)).toMatch(/no gateway/);
});

it.each([
  ['', null, 'unused'],
  ['interface: wg0\n  listening port: 1\npeer: x\n  endpoint: 1.2.3.4:1\n', null, 'never'],
  [
    'Running ["wg"] failed: No such file or directory (os error 2) at guest_api_service.rs:204',
    null,
    'unknown',
  ],
  ['peer: x\n  latest handshake: 1 minute, 31 seconds ago\n', 91, 'fresh'],
  ['  latest handshake: Now', 0, 'fresh'],
  ['latest handshake: 31s ago', 31, 'fresh'],
  ['latest handshake: 2 days, 1 hour, 1 second ago', 176_401, 'stale'],
  ['latest handshake: 30 minutes, 1 second ago', 1801, 'stale'],
  ['latest handshake: 2 hours ago\npeer: y\n latest handshake: 5 seconds ago', 5, 'fresh'],
  ['latest handshake: some day', null, 'stale'],
])('parses the handshake %j', (wg_info, age_seconds, state) => {
  expect(readHandshake(wg_info)).toMatchObject({ age_seconds, state });
});

it.each([
  ['digits', `latest handshake: ${'1'.repeat(1_000_000)}`, 'stale'],
  ['letters', `latest handshake: 1${'a'.repeat(1_000_000)}`, 'stale'],
  ['blank lines', `${'\n'.repeat(1_000_000)}x`, 'unknown'],
])('reads a million %s in no time', (_, wg_info, state) => {
  const before = performance.now();
  expect(readHandshake(wg_info)).toMatchObject({ age_seconds: null, state });
  expect(performance.now() - before).toBeLessThan(100);
});
