import { describe, expect, it } from 'vitest';
import {
  domainRefusal,
  emailDomain,
  identityRefusal,
  issuerRefusal,
  normalDomain,
  roleFor,
  ssoCookie,
  ssoRefusal,
  type SsoGate,
} from './sso';

describe('domains', () => {
  it.each([
    ['Corp.Example', 'corp.example'],
    ['@corp.example', 'corp.example'],
    ['corp.example.', 'corp.example'],
    ['bücher.example', 'xn--bcher-kva.example'],
    ['localhost', null],
    ['10.0.0.1', null],
    ['1.2.3.400', null],
    ['corp..example', null],
    ['corp.example/evil', null],
    ['-corp.example', null],
    ['a b.example', null],
    [`${'a'.repeat(64)}.example`, null],
    ['', null],
  ])('normalizes %s to %s', (text, domain) => expect(normalDomain(text)).toBe(domain));

  it('of an email address is the part after its last @', () => {
    expect(emailDomain('ada@Corp.example')).toBe('corp.example');
    expect(emailDomain('"ada@corp.example"@evil.example')).toBe('evil.example');
    expect(emailDomain('ada@corp.example@evil.example')).toBe('evil.example');
    expect(emailDomain('ada@sub.corp.example')).toBe('sub.corp.example');
    expect(emailDomain('@corp.example')).toBeNull();
    expect(emailDomain('corp.example')).toBeNull();
  });

  it('of public mail providers belong to no team', () => {
    for (const domain of ['gmail.com', 'outlook.com', 'proton.me', 'qq.com', 'duck.com'])
      expect(domainRefusal(domain)).toContain(domain);
    expect(domainRefusal('corp.example')).toBeNull();
  });
});

it('an issuer is a URL without query, fragment or the discovery path', () => {
  expect(issuerRefusal('https://login.corp.example/realms/a')).toBeNull();
  for (const issuer of [
    'login',
    'https://a.example/?x=1',
    'https://a.example/#',
    'https://a.example/.well-known/openid-configuration',
    `https://${'a.'.repeat(130)}example`,
  ])
    expect(issuerRefusal(issuer)).not.toBeNull();
});

describe('the role', () => {
  const rules = {
    role_claim: 'groups',
    role_rules: [
      { value: 'root', role: 'admin' },
      { value: 'dev', role: 'member' },
    ],
    default_role: 'viewer',
  } as const;
  it.each([
    [{ groups: ['dev', 'root'] }, 'admin'],
    [{ groups: 'dev' }, 'member'],
    [{ groups: ['other'] }, 'viewer'],
    [{ groups: [{ dev: true }, null, 7] }, 'viewer'],
    [{}, 'viewer'],
  ])('for %j is %s: the first matching rule', (claims, role) => expect(roleFor(claims, rules)).toBe(role));

  it('is found in nested claims, and never in inherited properties', () => {
    const nested = { ...rules, role_claim: 'realm_access.roles' };
    expect(roleFor({ realm_access: { roles: ['dev'] } }, nested)).toBe('member');
    expect(roleFor({ 'realm_access.roles': ['root'] }, nested)).toBe('admin');
    expect(roleFor({ realm_access: null }, nested)).toBe('viewer');
    expect(
      roleFor(
        {},
        { ...rules, role_claim: 'constructor.name', role_rules: [{ value: 'Object', role: 'admin' }] },
      ),
    ).toBe('viewer');
    expect(roleFor({ groups: ['root'] }, { ...rules, role_claim: null })).toBe('viewer');
  });
});

it('accepts an address of the domain that the provider marks as verified', () => {
  const domain = { domain: 'corp.example', require_email_verified: true };
  const lenient = { ...domain, require_email_verified: false };
  expect(identityRefusal({ email: 'ada@corp.example', email_verified: true }, domain)).toBeNull();
  expect(identityRefusal({ email: 'Ada@CORP.example', email_verified: null }, domain)).toBe(
    'email_unverified',
  );
  expect(identityRefusal({ email: 'Ada@CORP.example', email_verified: null }, lenient)).toBeNull();
  expect(identityRefusal({ email: 'ada@corp.example', email_verified: false }, lenient)).toBe(
    'email_unverified',
  );
  expect(identityRefusal({ email: 'ada@corp.example', email_verified: false }, domain)).toBe(
    'email_unverified',
  );
  expect(identityRefusal({ email: 'ada@sub.corp.example', email_verified: true }, domain)).toBe(
    'other_domain',
  );
  expect(identityRefusal({ email: 'ada@evilcorp.example', email_verified: true }, domain)).toBe(
    'other_domain',
  );
  expect(identityRefusal({ email: null, email_verified: true }, domain)).toBe('no_email');
});

describe('where single sign-on is enforced', () => {
  const gate: SsoGate = {
    enforced: { id: 7, domain: 'corp.example', made_member: false },
    session_sso_id: null,
    email: 'ada@corp.example',
    role: 'member',
  };
  it.each<[string, Partial<SsoGate>, 'sso_required' | null]>([
    ['a member of the domain with a password', {}, 'sso_required'],
    ['an admin of the domain with a password', { role: 'admin' }, 'sso_required'],
    ['a member signed in through another team’s provider', { session_sso_id: 8 }, 'sso_required'],
    ['a member signed in through the provider', { session_sso_id: 7 }, null],
    ['a guest', { email: 'guest@elsewhere.example' }, null],
    [
      'a member the provider added, whose address has changed',
      { email: 'ada@elsewhere.example', enforced: { id: 7, domain: 'corp.example', made_member: true } },
      'sso_required',
    ],
    ['a member with an address of a subdomain', { email: 'ada@sub.corp.example' }, null],
    ['an owner', { role: 'owner' }, null],
    ['any member where it is not enforced', { enforced: null }, null],
  ])('%s: %o', (_who, change, expected) => expect(ssoRefusal({ ...gate, ...change })).toBe(expected));
});

it('the cookie is unavailable to scripts and other sites’ requests, and to http when the site uses https', () => {
  expect(ssoCookie('http://localhost:3000', 'v')).toBe(
    'teehouse_sso=v; Path=/; HttpOnly; SameSite=Lax; Max-Age=600',
  );
  expect(ssoCookie('https://a.example', 'v')).toMatch(/^__Host-teehouse_sso=v; .*; Secure$/);
  expect(ssoCookie('https://a.example', null)).toContain('Max-Age=0');
});
