import { describe, expect, it } from 'vitest';
import {
  RESERVED_CVM_NAMES,
  RESERVED_SLUGS,
  appNameFrom,
  cvmNameProblem,
  parseCvmIdentifier,
  parseUuid,
  slugProblem,
  slugify,
} from './ids';

const HEX40 = 'ab'.repeat(20);

describe('CVM names', () => {
  it.each(['my-app', 'App01', 'a-b-c', 'a'.repeat(63), 'Hello'])('accepts %s', (name) => {
    expect(cvmNameProblem(name)).toBeNull();
    expect(name).toMatch(/^[a-zA-Z](?!.*--)([a-zA-Z0-9-]*[a-zA-Z0-9])?$/);
  });
  it.each([
    '',
    'abcd',
    'a'.repeat(64),
    '1apps',
    '-apps',
    'apps-',
    'my--app',
    'my_app',
    'my app',
    'äpfel',
    'hello\n',
    'a/../b',
    HEX40,
    'ab5084e0-e29b-41d4-a716-446655440000',
    'ab5084e0e29b41d4a716446655440000',
  ])('rejects %j', (name) => expect(cvmNameProblem(name)).toBeTypeOf('string'));
  it('rejects names of operations under /cvms', () => {
    for (const name of RESERVED_CVM_NAMES) expect(cvmNameProblem(name)).toMatch(/reserved|5 to/);
    expect(cvmNameProblem('Provision')).toMatch('reserved');
  });
});

describe('team slugs', () => {
  it.each(['acme', 'a-1', 'team-42', 'a'.repeat(40)])('accepts %s', (slug) =>
    expect(slugProblem(slug)).toBeNull(),
  );
  it.each([
    '',
    'ab',
    'a'.repeat(41),
    'Acme',
    '1st',
    'a--b',
    'abc-',
    '-abc',
    'a.b',
    'a/b',
    'a b',
    'é-é',
    'abc\n',
    '%2e%2e',
  ])('rejects %j', (slug) => expect(slugProblem(slug)).toBeTypeOf('string'));

  it('reserve every first segment of product URLs, in any letter case', () => {
    for (const word of [
      'about account admin cases cli cost dashboard debt-settlement explorer features gpu-tee',
      'invite launch login monitoring register reset-password setup-billing storybook templates',
      'transactions two-factor usage verify-email widget eliza',
      'api healthz readyz metrics docs openapi.json assets favicon.ico robots.txt sitemap.xml',
      '.well-known logs static',
    ].flatMap((line) => line.split(' '))) {
      expect(RESERVED_SLUGS.has(word), word).toBe(true);
      expect(slugProblem(word.toUpperCase()), word).toMatch(/reserved/);
    }
    expect(slugProblem('agentx')).toBeNull();
    expect(slugProblem('agentx', ['AgentX'])).toMatch('reserved');
  });

  it('are derived from any name', () => {
    expect(slugify('Ünïted AI!')).toBe('united-ai');
    expect(slugify("Ada's  team")).toBe('ada-s-team');
    expect(slugify('漢字')).toBe('my-team');
    expect(slugify('42')).toBe('team-42');
    expect(slugify('login')).toBe('login-team');
    for (const name of [
      '',
      '-',
      'a',
      'x'.repeat(200),
      `${'x'.repeat(39)} y`,
      '…',
      '\ud800',
      '__proto__',
      ...RESERVED_SLUGS,
      ...Array.from({ length: 500 }, (_, i) => String.fromCodePoint(i * 131 + 1, 65, i + 32)),
    ]) {
      expect(slugProblem(slugify(name)), JSON.stringify(name)).toBeNull();
    }
  });
});

describe('CVM identifiers', () => {
  const uuid = '550e8400-e29b-41d4-a716-446655440000';
  it.each([
    [uuid, { kind: 'uuid', vm_uuid: uuid }],
    [uuid.toUpperCase(), { kind: 'uuid', vm_uuid: uuid }],
    [uuid.replaceAll('-', '').toUpperCase(), { kind: 'uuid', vm_uuid: uuid }],
    [`app_${HEX40.toUpperCase()}`, { kind: 'app_id', app_id: HEX40 }],
    [`0x${HEX40}`, { kind: 'app_id', app_id: HEX40 }],
    [`0X${HEX40.toUpperCase()}`, { kind: 'app_id', app_id: HEX40 }],
    [`instance_${HEX40}`, { kind: 'instance_id', instance_id: HEX40 }],
    [HEX40.toUpperCase(), { kind: 'hex40', hex: HEX40 }],
    ['1'.repeat(40), { kind: 'hex40', hex: '1'.repeat(40) }],
    ['cvm_aB3', { kind: 'hashid', hashid: 'cvm_aB3' }],
    ['2936', { kind: 'numeric', id: 2936 }],
    ['My-App', { kind: 'name', name: 'My-App' }],
  ])('%s', (text, expected) => expect(parseCvmIdentifier(text)).toEqual(expected));
  it.each(['', ' ', 'app_', 'app_12', '0x12', 'a b', '../x', 'cvm_', '1'.repeat(20), 'é', 'a\n'])(
    'rejects %j',
    (text) => expect(parseCvmIdentifier(text)).toBeNull(),
  );
  it('requires all dashes or none', () => {
    expect(parseUuid('550e8400-e29b41d4a716446655440000')).toBeNull();
  });
});

it('derives an app’s name from any text', () => {
  expect(appNameFrom('Order service')).toBe('order-service');
  expect(appNameFrom('2nd: Größe!')).toBe('nd-gro-e');
  expect(appNameFrom('日本')).toBe('my-app');
  for (const text of ['a', '-', 'x'.repeat(200), '9', 'A--B', `${'a'.repeat(49)} b`])
    expect(cvmNameProblem(appNameFrom(text)), text).toBeNull();
});
