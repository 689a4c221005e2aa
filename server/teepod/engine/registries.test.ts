import { describe, expect, test } from 'vitest';
import { isPublicAddress as isPublicForServer } from '../../domain/core/outbound';
import { readConfig } from '../config';
import { isPublicAddress } from './publicAddress';
import { DEFAULT_REGISTRIES, Registries, registryOf, type Network } from './registries';

/** Fails on any use: listed registries and rejected names are decided without network access. */
const unused: Network = {
  addresses: () => Promise.reject(new Error('asked DNS')),
  challenges: () => Promise.reject(new Error('connected')),
};
const byDefault = new Registries(DEFAULT_REGISTRIES, unused);

test.each([
  ['nginx', 'docker.io'],
  ['library/nginx:1', 'docker.io'],
  ['index.docker.io/library/nginx', 'docker.io'],
  ['ghcr.io/owner/app@sha256:00', 'ghcr.io'],
  ['ghcr.io:443/owner/app', 'ghcr.io'],
  ['ghcr.io:8080/owner/app', 'ghcr.io:8080'],
  ['Intranet/app', 'intranet'],
  ['localhost/app', 'localhost'],
  ['registry:5000/app', 'registry:5000'],
])('resolves %s to registry %s', (image, registry) => {
  expect(registryOf(image)).toBe(registry);
});

describe('by default', () => {
  test.each(['nginx:1.27', 'owner/app', 'ghcr.io/o/a:1', 'eu.gcr.io/o/a', 'europe-docker.pkg.dev/p/r/i'])(
    'pulls %s',
    async (image) => {
      expect(await byDefault.refusal(image)).toBeUndefined();
    },
  );

  test.each([
    'registry:5000/a',
    'Intranet/a',
    'localhost/a',
    'localhost:5000/a',
    '10.0.0.5/a',
    '10.0.0.5:443/a',
    '169.254.169.254/latest/meta-data',
    'metadata.google.internal/a',
    'registry.example.com/a',
    'ghcr.io:8080/a',
    'ghcr.io.evil.com/a',
    'pkg.dev.evil.com/a',
    'docker.io.local/a',
  ])('rejects %s', async (image) => {
    expect(await byDefault.refusal(image)).toMatch(
      /registry is not allowed on this host\. Allowed: docker\.io/,
    );
  });
});

test('allows an internal registry that the operator lists by name and port', async () => {
  const registries = new Registries(['registry.internal:5000'], unused);
  expect(await registries.refusal('registry.internal:5000/a')).toBeUndefined();
  expect(await registries.refusal('registry.internal/a')).toContain('not allowed');
  expect(await registries.refusal('nginx')).toContain('Allowed: registry.internal:5000');
});

describe('with *', () => {
  const names: Record<string, string[]> = {
    'good.dev': ['93.184.216.34', '2606:4700::1111'],
    'auth.good.dev': ['93.184.216.35'],
    'inside.dev': ['10.1.2.3'],
    'half.dev': ['93.184.216.34', '127.0.0.1'],
    'mapped.dev': ['::ffff:10.0.0.1'],
  };
  const world = (...challenges: string[]) =>
    new Registries(['*'], {
      addresses: async (name) => names[name] ?? Promise.reject(new Error(`no address for ${name}`)),
      challenges: async (_name, address) => {
        expect(isPublicAddress(address)).toBe(true);
        return challenges;
      },
    });
  const OUTSIDE = 'Bearer realm="https://auth.good.dev/token",service="registry"';

  test.each([[], ['Basic realm="Registry"'], [OUTSIDE]])(
    'pulls from a public registry that challenges with %j',
    async (...challenges) => {
      expect(await world(...challenges).refusal('good.dev/a')).toBeUndefined();
    },
  );

  test.each([
    'inside.dev/a',
    'half.dev/a',
    'mapped.dev/a',
    'unknown.dev/a',
    'good.dev:8443/a',
    'localhost/a',
    '0x0a000001.1/a',
    '93.184.216.34/a',
    'host.docker.internal/a',
  ])('rejects %s without revealing what it found', async (image) => {
    expect(await world(OUTSIDE).refusal(image)).toBe(
      `image ${image} can't be pulled: its registry is not allowed on this host. Use a registry with a public address.`,
    );
  });

  test.each([
    'Bearer realm="https://inside.dev/token"',
    'Bearer realm="http://auth.good.dev/token"',
    'Bearer realm="https://169.254.169.254/latest"',
    'Bearer realm="https://auth.good.dev:8443/token"',
    'bearer service="x", realm=https://localhost/token',
    'Bearer realm="not an address"',
  ])('rejects a registry with an internal token service: %s', async (challenge) => {
    expect(await world(challenge).refusal('good.dev/a')).toContain('not allowed');
  });

  test('checks every challenge of a registry that sends several', async () => {
    const basic = 'Basic realm="Registry"';
    expect(await world(basic, OUTSIDE).refusal('good.dev/a')).toBeUndefined();
    expect(await world(OUTSIDE, basic).refusal('good.dev/a')).toBeUndefined();
    const inside = 'Bearer realm="https://inside.dev/token"';
    expect(await world(basic, inside).refusal('good.dev/a')).toContain('not allowed');
  });
});

test('uses the same definition of a public address as the server', () => {
  const all = `8.8.8.8 10.0.0.1 127.0.0.1 169.254.169.254 100.64.0.1 192.168.1.1 0.0.0.0 255.255.255.255 ::1 fe80::1
    fd00::1 2606:4700::1 2002:7f00:1::1 2001:db8::1 ::ffff:8.8.8.8 64:ff9b::a00:1 nonsense`;
  for (const ip of all.split(/\s+/)) expect([ip, isPublicAddress(ip)]).toEqual([ip, isPublicForServer(ip)]);
});

test('rejects an invalid registry list', () => {
  const read = (list: string) => readConfig({ TEEPOD_DIR: '/tmp/x', TEEPOD_REGISTRIES: list }).registries;
  expect(read(' GHCR.io, *.pkg.dev,localhost:5000 ')).toEqual(['ghcr.io', '*.pkg.dev', 'localhost:5000']);
  expect(read('')).toEqual(DEFAULT_REGISTRIES);
  for (const wrong of ['https://ghcr.io', 'a b', 'ghcr.io/owner', '*.', 'gh*.io'])
    expect(() => read(wrong)).toThrow('TEEPOD_REGISTRIES');
});
