import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { diagnose } from '../../domain/network/dnsDiagnosis';
import type { CheckId, Expected } from '../../domain/network/dnsFacts';
import { readDomain, unicodeDomain, type DomainName } from '../../domain/network/domains';
import { startDnsServer, type TestDns } from '../../testing/dnsServer';
import { gatherDomain } from './gatherDomain';
import { createDnsDriver } from './resolver';

/** A real DNS server publishes each case, which is queried over the network. */
const APP = 'a'.repeat(40);
const ONE = 'b'.repeat(40);
const OTHER = 'c'.repeat(40);
const expected: Expected = { target: APP, app_id: APP, instance_ids: [ONE], port: 443, unserved: null };
const GATEWAY = '203.0.113.10';

let server: TestDns;
beforeAll(async () => {
  server = await startDnsServer();
});
afterAll(() => server.close());
beforeEach(() => {
  for (const known of [server.zone, server.txt, server.broken, server.mute]) known.clear();
  server.set('_.gw.test', { type: 'A', value: GATEWAY }, { type: 'AAAA', value: '2001:db8::10' });
  server.set('corp.test', { type: 'SOA', value: 600 });
  server.set('app.corp.test', { type: 'CNAME', value: '_.gw.test', ttl: 120 });
  server.txt.set('_dstack-app-address.app.corp.test', [[`${APP}:443`]]);
});

const nameOf = (typed: string): DomainName => {
  const name = readDomain(typed);
  if (typeof name === 'string') throw new Error(name);
  return name;
};
async function diagnosis(typed = 'app.corp.test', change: Partial<Expected> = {}) {
  const facts = await gatherDomain(createDnsDriver([server.address]), nameOf(typed), ['gw.test:443']);
  const result = diagnose(facts, { ...expected, ...change });
  const check = (id: CheckId) => {
    const one = result.checks.find((each) => each.id === id);
    if (!one) throw new Error(`no check ${id}`);
    return one;
  };
  return {
    ...result,
    app: check('app'),
    address: check('address'),
    issuer: check('issuer'),
    gateway: check('gateway'),
  };
}

it('finds no problem in a correct setup', async () => {
  const found = await diagnosis();
  expect(found).toMatchObject({ state: 'right', proved: true, apex: false });
  expect(found.checks.map(({ id, state }) => [id, state])).toEqual([
    ['gateway', 'passed'],
    ['app', 'passed'],
    ['address', 'passed'],
    ['issuer', 'passed'],
  ]);
  expect(found.records.filter(({ required }) => required)).toMatchObject([
    { type: 'TXT', name: '_dstack-app-address.app.corp.test', value: `${APP}:443` },
    { type: 'CNAME', name: 'app.corp.test', value: '_.gw.test' },
  ]);
  // For users who can't set a CNAME.
  expect(
    found.records.filter(({ type }) => type === 'A' || type === 'AAAA').map(({ value }) => value),
  ).toEqual([GATEWAY, '2001:db8::10']);
});

describe("the app's record", () => {
  it.each([
    ['another app', `${OTHER}:443`, 'failed', /another app/, false],
    ['another port', `${APP}:8443`, 'failed', /port 8443/, true],
    ['one instance', `${ONE}:443`, 'warning', /one instance/, true],
    ['quotes', `"${APP}:443"`, 'failed', /a form the gateway can't read/, true],
    ['a space', `${APP}:443 `, 'failed', /a form the gateway can't read/, true],
    ['capital letters', `${APP.toUpperCase()}:443`, 'failed', /a form the gateway can't read/, true],
    ['no port', APP, 'failed', /a form the gateway can't read/, true],
    ['a prefix', `app_${APP}:443`, 'failed', /a form the gateway can't read/, true],
    ['something else', 'v=spf1 -all', 'failed', /doesn't have the form/, false],
    ['an empty text', '', 'failed', /doesn't have the form/, false],
  ])('with %s', async (_what, value, state, message, proved) => {
    server.txt.set('_dstack-app-address.app.corp.test', [[value]]);
    const { app, ...found } = await diagnosis();
    expect([app.state, found.proved]).toEqual([state, proved]);
    expect(app.message).toMatch(message);
    expect(app).toMatchObject({ wanted: [`${APP}:443`], found: [{ value, right: false }] });
    expect(app.what_to_do).toContain(`${APP}:443`);
    expect(app.remembered_until?.getTime()).toBeGreaterThan(Date.now() + 200_000);
  });

  it('when missing, with how long that is cached', async () => {
    server.txt.clear();
    const { app, proved, state } = await diagnosis();
    expect([app.state, proved, state]).toEqual(['failed', false, 'wrong']);
    expect(app.message).toContain('_dstack-app-address.app.corp.test');
    // The zone's negative limit is 600 s, its SOA's TTL 300 s: the smaller one counts (RFC 2308 §5).
    expect(app.remembered_until!.getTime() - Date.now()).toBeGreaterThan(290_000);
    expect(app.remembered_until!.getTime() - Date.now()).toBeLessThan(301_000);
  });

  it('next to another one', async () => {
    server.txt.set('_dstack-app-address.app.corp.test', [[`${OTHER}:443`], [`${APP}:443`]]);
    const { app, proved } = await diagnosis();
    expect([app.state, proved]).toEqual(['failed', false]);
    expect(app.message).toMatch(/2 TXT records/);
    expect(app.found.map(({ right }) => right)).toEqual([false, true]);
  });

  it('split into parts', async () => {
    server.txt.set('_dstack-app-address.app.corp.test', [[`${APP}:`, '443']]);
    const { app } = await diagnosis();
    expect([app.state, app.message]).toEqual(['failed', expect.stringMatching(/several strings/)]);
  });

  it('under its former name', async () => {
    server.txt.clear();
    server.txt.set('_tapp-address.app.corp.test', [[`${APP}:443`]]);
    const { app, proved, state } = await diagnosis();
    expect([app.state, proved, state]).toEqual(['warning', true, 'right']);
  });

  it('for all names of the parent', async () => {
    server.txt.clear();
    server.txt.set('_dstack-app-address-wildcard.corp.test', [[`${APP}:443`]]);
    expect(await diagnosis()).toMatchObject({ state: 'right', proved: true, app: { state: 'passed' } });
    server.txt.set('_dstack-app-address-wildcard.corp.test', [[`${OTHER}:443`]]);
    expect(await diagnosis()).toMatchObject({ state: 'wrong', proved: false });
  });

  it('of a domain for one instance', async () => {
    server.txt.set('_dstack-app-address.app.corp.test', [[`${ONE}:443`]]);
    expect((await diagnosis('app.corp.test', { target: ONE })).app.state).toBe('passed');
    server.txt.set('_dstack-app-address.app.corp.test', [[`${APP}:443`]]);
    const { app } = await diagnosis('app.corp.test', { target: ONE });
    expect([app.state, app.message]).toEqual(['warning', expect.stringMatching(/whole app/)]);
  });
});

describe('the address', () => {
  const set = (...records: Parameters<TestDns['set']> extends [string, ...infer R] ? R : never) =>
    server.set('app.corp.test', ...records);
  it.each<[string, () => void, string, RegExp]>([
    ['an A record of the gateway', () => set({ type: 'A', value: GATEWAY }), 'passed', /are the gateway's/],
    [
      "any of the gateway's names",
      () => set({ type: 'CNAME', value: 'gateway.gw.test' }),
      'failed',
      /no address/,
    ],
    ['another address', () => set({ type: 'A', value: '198.41.0.4' }), 'failed', /addresses other than/],
    ['a private address', () => set({ type: 'A', value: '10.0.0.4' }), 'failed', /private address/],
    ['a CNAME that ends nowhere', () => set({ type: 'CNAME', value: 'gone.test' }), 'failed', /gone\.test/],
    [
      'one right and one wrong',
      () => set({ type: 'A', value: GATEWAY }, { type: 'A', value: '198.41.0.4' }),
      'failed',
      /some visitors/,
    ],
    [
      'an old AAAA beside a right A',
      () => set({ type: 'A', value: GATEWAY }, { type: 'AAAA', value: '2001:500:2::c' }),
      'failed',
      /IPv6/,
    ],
    ['Cloudflare', () => set({ type: 'A', value: '104.16.1.1' }), 'failed', /proxy \(Cloudflare\)/],
    [
      'CloudFront',
      () => {
        set({ type: 'CNAME', value: 'd1.cloudfront.net' });
        server.set('d1.cloudfront.net', { type: 'A', value: '18.64.0.1' });
      },
      'failed',
      /proxy \(Amazon CloudFront\)/,
    ],
    ['itself', () => set({ type: 'CNAME', value: 'app.corp.test' }), 'failed', /loop/],
    ['no address', () => set({ type: 'CAA', value: [0, 'issue', ';'] }), 'failed', /has no address/],
    ['nothing', () => void server.zone.delete('app.corp.test'), 'failed', /not in DNS yet/],
  ])('%s', async (_what, publish, state, message) => {
    publish();
    const { address } = await diagnosis();
    expect(address.message).toMatch(message);
    expect(address.state).toBe(state);
    expect(address.wanted).toEqual(['_.gw.test']);
    expect(address.what_to_do === null).toBe(state === 'passed');
  });

  it('over several CNAMEs', async () => {
    set({ type: 'CNAME', value: 'edge.corp.test' });
    server.set('edge.corp.test', { type: 'CNAME', value: '_.gw.test' });
    const { address } = await diagnosis();
    expect(address.state).toBe('passed');
    expect(
      address.found.filter(({ type }) => type === 'CNAME').map(({ value, right }) => [value, right]),
    ).toEqual([
      ['edge.corp.test', false],
      ['_.gw.test', true],
    ]);
  });

  it('at a zone apex', async () => {
    server.txt.set('_dstack-app-address.corp.test', [[`${APP}:443`]]);
    const missing = await diagnosis('corp.test');
    expect(missing).toMatchObject({ apex: true, address: { state: 'failed' } });
    expect(missing.address.what_to_do).toMatch(/ALIAS.*203\.0\.113\.10/);
    expect(
      missing.records.filter(({ purpose, required }) => purpose === 'address' && required),
    ).toMatchObject([{ type: 'A', value: GATEWAY }, { type: 'AAAA' }]);
    server.set('corp.test', { type: 'SOA', value: 600 }, { type: 'A', value: GATEWAY });
    expect(await diagnosis('corp.test')).toMatchObject({ state: 'right', address: { state: 'passed' } });
    server.set('corp.test', { type: 'SOA', value: 600 }, { type: 'CNAME', value: '_.gw.test' });
    const { address } = await diagnosis('corp.test');
    expect([address.state, address.message]).toEqual(['warning', expect.stringMatching(/mail/)]);
  });

  it('when DNS returns an error', async () => {
    server.broken.add('app.corp.test');
    expect(await diagnosis()).toMatchObject({
      state: 'unknown',
      address: { state: 'unknown', message: expect.stringContaining('SERVFAIL') },
    });
    server.broken.clear();
    server.broken.add('_dstack-app-address.app.corp.test');
    expect(await diagnosis()).toMatchObject({ state: 'unknown', proved: null, app: { state: 'unknown' } });
  });

  it("when DNS doesn't respond", async () => {
    server.mute.add('_dstack-app-address.app.corp.test');
    const { app, proved } = await diagnosis();
    expect([app.state, proved]).toEqual(['unknown', null]);
    expect(app.message).toMatch(/didn't respond/);
  });
});

describe('the authority', () => {
  const caa = (name: string, ...values: [number, string, string][]) =>
    server.set(
      name,
      ...(server.zone.get(name) ?? []),
      ...values.map((value) => ({ type: 'CAA' as const, value })),
    );
  it.each<[string, () => void, string, RegExp]>([
    ['none anywhere', () => undefined, 'passed', /no CAA record/],
    [
      'the right one',
      () => caa('corp.test', [0, 'issue', 'letsencrypt.org']),
      'passed',
      /found at corp\.test/,
    ],
    [
      'another one',
      () => caa('corp.test', [0, 'issue', 'pki.goog']),
      'warning',
      /do not allow Let’s Encrypt.*/,
    ],
    ['nobody', () => caa('corp.test', [0, 'issue', ';']), 'warning', /do not allow/],
    ['no say', () => caa('corp.test', [0, 'iodef', 'mailto:a@corp.test']), 'passed', /don’t restrict/],
    ['wildcards only', () => caa('corp.test', [0, 'issuewild', 'pki.goog']), 'passed', /don’t restrict/],
    [
      'another way of proof',
      () => caa('corp.test', [0, 'issue', 'letsencrypt.org; validationmethods=http-01']),
      'warning',
      /dns-01/,
    ],
    [
      'one of several ways',
      () => caa('corp.test', [0, 'issue', 'LetsEncrypt.org ; validationmethods=http-01, dns-01']),
      'passed',
      /may issue/,
    ],
    [
      'one account',
      () => caa('corp.test', [0, 'issue', 'letsencrypt.org;accounturi=https://acme.test/1']),
      'passed',
      /one account only/,
    ],
    [
      'an unknown critical tag',
      () => caa('corp.test', [128, 'future', 'x'], [0, 'issue', 'letsencrypt.org']),
      'warning',
      /no authority/,
    ],
    ['SERVFAIL above', () => void server.broken.add('corp.test'), 'unknown', /don’t issue/],
  ])('%s', async (_what, publish, state, message) => {
    // Its own name has an address and no CAA, so the tree is climbed.
    server.set('app.corp.test', { type: 'A', value: GATEWAY });
    publish();
    const found = await diagnosis();
    expect(found.issuer.message).toMatch(message);
    expect(found.issuer.state).toBe(state);
    expect(found.state).toBe('right');
  });

  it('is read from the nearest name upwards that has CAA records', async () => {
    server.set(
      'app.corp.test',
      { type: 'A', value: GATEWAY },
      { type: 'CAA', value: [0, 'issue', 'letsencrypt.org'] },
    );
    caa('corp.test', [0, 'issue', 'pki.goog']);
    server.asked.length = 0;
    expect((await diagnosis()).issuer.state).toBe('passed');
    expect(server.asked.filter((one) => one.endsWith('CAA'))).toEqual(['app.corp.test CAA']);
    server.set('app.corp.test', { type: 'A', value: GATEWAY });
    server.zone.set('corp.test', [{ type: 'SOA', value: 600 }]);
    server.asked.length = 0;
    await diagnosis();
    expect(server.asked.filter((one) => one.endsWith('CAA'))).toEqual([
      'app.corp.test CAA',
      'corp.test CAA',
      'test CAA',
    ]);
  });
});

describe('a wildcard', () => {
  beforeEach(() => {
    server.set('*.corp.test', { type: 'CNAME', value: '_.gw.test' });
    server.txt.set('_dstack-app-address-wildcard.corp.test', [[`${APP}:443`]]);
  });
  it('has a record of its own name, and issuewild decides', async () => {
    const found = await diagnosis('*.corp.test');
    expect(found).toMatchObject({ state: 'right', proved: true });
    expect(found.records.map(({ type, name }) => `${type} ${name}`)).toEqual([
      'TXT _dstack-app-address-wildcard.corp.test',
      'CNAME *.corp.test',
      'A *.corp.test',
      'AAAA *.corp.test',
      'CAA corp.test',
    ]);
    server.set(
      'corp.test',
      { type: 'CAA', value: [0, 'issue', 'letsencrypt.org'] },
      { type: 'CAA', value: [0, 'issuewild', ';'] },
    );
    expect((await diagnosis('*.corp.test')).issuer.state).toBe('warning');
    server.set('corp.test', { type: 'CAA', value: [0, 'issue', 'letsencrypt.org'] });
    expect((await diagnosis('*.corp.test')).issuer.state).toBe('passed');
  });
});

it("verifies a domain even if no gateway forwards domains, and reports that it doesn't work there", async () => {
  const found = await diagnosis('app.corp.test', { unserved: 'The local teepod leads no domains.' });
  expect(found).toMatchObject({
    state: 'wrong',
    proved: true,
    gateway: { state: 'failed', message: 'The local teepod leads no domains.' },
    address: { state: 'skipped' },
  });
  expect(found.records.map(({ type }) => type)).toEqual(['TXT', 'CAA']);
});

describe('a user-entered name', () => {
  it.each([
    ['App.Corp.TEST.', 'app.corp.test'],
    ['  app.corp.test ', 'app.corp.test'],
    ['bücher.example', 'xn--bcher-kva.example'],
    ['BÜCHER.example', 'xn--bcher-kva.example'],
    ['xn--bcher-kva.example', 'xn--bcher-kva.example'],
    ['*.Corp.test', '*.corp.test'],
    ['münchen。example', 'xn--mnchen-3ya.example'],
  ])('%s is %s', (typed, domain) => expect(nameOf(typed).domain).toBe(domain));

  it.each([
    'https://app.corp.test',
    'app.corp.test/path',
    'app.corp.test:8443',
    'localhost',
    'printer.local',
    '192.0.2.1',
    '[2001:db8::1]',
    '*.*.corp.test',
    'a.*.test',
    'a b.test',
    'under_score.test',
    'mail@corp.test',
    '-a.test',
    `${'a'.repeat(64)}.test`,
    `${Array.from({ length: 60 }, () => 'abc').join('.')}.test`,
    '',
    '.',
    '*.',
    'com',
  ])('explains why %s is rejected', (typed) => expect(readDomain(typed)).toMatch(/^[A-Z].*\.$/));

  it('rejects names within this server’s own', () => {
    expect(readDomain('evil.gw.test', ['gw.test'])).toMatch(/belongs to this server/);
    expect(readDomain('*.gw.test', ['gw.test'])).toMatch(/belongs to this server/);
    expect(nameOf('notgw.test').domain).toBe('notgw.test');
  });

  it('is displayed as users write it', () => {
    expect([unicodeDomain('*.xn--bcher-kva.example'), unicodeDomain('app.test')]).toEqual([
      '*.bücher.example',
      'app.test',
    ]);
  });
});
