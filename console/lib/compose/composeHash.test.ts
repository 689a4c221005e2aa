import { createHash } from 'node:crypto';
import { getComposeHash } from '@phala/cloud';
import { describe, expect, it } from 'vitest';
import { AppComposeError, buildAppCompose, canonicalJson, composeSize, sha256Hex } from './composeHash';

/** Deterministic random numbers (mulberry32), so that a failure can be reproduced. */
function random(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}

const ALPHABET = [...'aZ09_ "\\/:,{}\n\r\t\0\u2028\ufeff\u007fé漢🔐$\'', '\ud800', '": '];

function randomText(next: () => number): string {
  return Array.from(
    { length: Math.floor(next() * 12) },
    () => ALPHABET[Math.floor(next() * ALPHABET.length)],
  ).join('');
}

function randomValue(next: () => number, depth = 0): unknown {
  const leaves = [
    () => randomText(next),
    () => (next() - 0.5) * 10 ** Math.floor(next() * 25 - 8),
    () => Math.floor(next() * 1e6),
    () => [null, true, false, undefined, Number.NaN, Infinity, -0][Math.floor(next() * 7)],
  ];
  const kind = Math.floor(next() * (depth < 4 ? 7 : 4));
  if (kind < 4) return leaves[kind]!();
  const size = Math.floor(next() * 6);
  if (kind === 4) return Array.from({ length: size }, () => randomValue(next, depth + 1));
  return Object.fromEntries(
    Array.from({ length: size }, () => [
      next() < 0.2 ? String(Math.floor(next() * 30)) : randomText(next),
      randomValue(next, depth + 1),
    ]),
  );
}

type SdkInput = Parameters<typeof getComposeHash>[0];

describe('canonicalJson', () => {
  it("produces the published SDK's hash for 3,000 random values", () => {
    const next = random(20260121);
    for (let i = 0; i < 3000; i++) {
      const value = { runner: 'docker-compose', v: randomValue(next), [randomText(next)]: 1 };
      expect(sha256Hex(canonicalJson(value)), JSON.stringify(value)).toBe(
        getComposeHash(value as unknown as SdkInput),
      );
    }
  });

  it('ignores key order and omits only undefined', () => {
    expect(canonicalJson({ b: { d: 1, c: [3, { z: 1, a: 2 }] }, a: undefined, A: null })).toBe(
      '{"A":null,"b":{"c":[3,{"a":2,"z":1}],"d":1}}',
    );
    expect(canonicalJson([Number.NaN, -Infinity, undefined, 'é🔐\u2028'])).toBe(
      '[null,null,null,"é🔐\u2028"]',
    );
    expect(canonicalJson(JSON.parse('{"__proto__":1,"a":2}'))).toBe('{"__proto__":1,"a":2}');
    expect(() => canonicalJson(undefined)).toThrow(TypeError);
  });
});

describe('sha256Hex', () => {
  it.each(['', 'abc', 'é🔐', 'x'.repeat(200_000)])('matches Node', (text) => {
    expect(sha256Hex(text)).toBe(createHash('sha256').update(text, 'utf8').digest('hex'));
    expect(sha256Hex(new TextEncoder().encode(text))).toBe(sha256Hex(text));
  });
});

describe('buildAppCompose', () => {
  it('builds the exact file of a centralized-KMS deployment', () => {
    const built = buildAppCompose({
      name: 'my-app',
      docker_compose_file: 'services:\r\n  web:\r\n    image: a  \r\n',
      pre_launch_script: '',
      allowed_envs: ['FOO', 'BAR'],
      public_logs: true,
      public_sysinfo: false,
    });
    expect(built.bytes).toBe(
      '{"allowed_envs":["FOO","BAR"],"docker_compose_file":"services:\\r\\n  web:\\r\\n    image: a  \\r\\n",' +
        '"features":["kms","tproxy-net"],"gateway_enabled":true,"kms_enabled":true,"local_key_provider_enabled":false,' +
        '"manifest_version":2,"name":"my-app","no_instance_id":false,"public_logs":true,"public_sysinfo":false,' +
        '"public_tcbinfo":true,"runner":"docker-compose","secure_time":false,"storage_fs":"zfs","tproxy_enabled":true}',
    );
    expect(built.compose_hash).toBe(createHash('sha256').update(built.bytes, 'utf8').digest('hex'));
    expect(JSON.parse(built.bytes)).toEqual(built.app_compose);
  });

  it('preserves any text byte for byte and hashes it like the SDK', () => {
    const next = random(7);
    const texts = ['\ufeffservices: {}\r\n', 'a \n\n\t', 'é🔐\u2028', '"k": v\\n', '\0', ''];
    for (let i = 0; i < 500; i++) {
      texts.push(`${randomText(next)}${randomText(next)}`.replaceAll('\ud800', ''));
    }
    const hashes = new Map<string, string>();
    for (const docker_compose_file of texts) {
      const built = buildAppCompose({
        name: 'n',
        docker_compose_file,
        pre_launch_script: docker_compose_file,
      });
      const read = JSON.parse(built.bytes) as { docker_compose_file: string };
      expect(read.docker_compose_file).toBe(docker_compose_file);
      expect(getComposeHash(built.app_compose as unknown as SdkInput)).toBe(built.compose_hash);
      const same = hashes.get(built.compose_hash);
      expect(same === undefined || same === docker_compose_file).toBe(true);
      hashes.set(built.compose_hash, docker_compose_file);
    }
  });

  it('disables a feature in every form guests support', () => {
    const { app_compose } = buildAppCompose({
      name: 'n',
      docker_compose_file: 'x',
      gateway_enabled: false,
      kms_enabled: false,
    });
    expect(app_compose).toMatchObject({
      gateway_enabled: false,
      tproxy_enabled: false,
      kms_enabled: false,
      features: [],
    });
  });

  it.each(['name', 'docker_compose_file', 'pre_launch_script'] as const)(
    'rejects a lone surrogate in %s',
    (field) => {
      const act = () => buildAppCompose({ name: 'n', docker_compose_file: 'x', [field]: 'a\udc00' });
      expect(act).toThrow(AppComposeError);
      expect(act).toThrow(expect.objectContaining({ code: 'not_unicode', field }));
    },
  );
});

it('counts the size limit in UTF-8 bytes of both texts', () => {
  expect(composeSize('é'.repeat(102_400))).toEqual({ bytes: 204_800, limit: 204_800, fits: true });
  expect(composeSize('é'.repeat(102_399), 'abc').fits).toBe(false);
  expect(composeSize('x', null).bytes).toBe(1);
});
