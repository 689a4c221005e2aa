import { randomBytes } from 'node:crypto';
import { isIP } from 'node:net';
import { domainToASCII } from 'node:url';
import type { TeamRole } from './caller';

/** Rules of single sign-on. The provider may give any role but owner: people make owners. */
export type SsoRole = Exclude<TeamRole, 'owner'>;

export interface SsoRoleRule {
  value: string;
  role: SsoRole;
}

export interface RoleRules {
  role_claim: string | null;
  role_rules: readonly SsoRoleRule[];
  default_role: SsoRole;
}

/** How long a person may take at the provider, in seconds. */
export const SSO_SIGN_IN_SECONDS = 600;

/** Mail for everybody: whoever proves such a domain is its operator, and no team. */
const PUBLIC_MAIL = new Set(
  `gmail.com googlemail.com outlook.com outlook.de outlook.fr hotmail.com hotmail.co.uk hotmail.fr live.com msn.com
  yahoo.com yahoo.co.uk yahoo.co.jp yahoo.de yahoo.fr ymail.com rocketmail.com aol.com icloud.com me.com mac.com
  proton.me protonmail.com protonmail.ch pm.me tutanota.com tuta.io tuta.com gmx.com gmx.net gmx.de gmx.at gmx.ch
  web.de t-online.de freenet.de mail.de posteo.de mailbox.org fastmail.com fastmail.fm hey.com zoho.com zohomail.com
  mail.com email.com mail.ru yandex.ru yandex.com ya.ru bk.ru list.ru inbox.ru qq.com foxmail.com 163.com 126.com
  yeah.net sina.com sina.cn sohu.com aliyun.com naver.com daum.net hanmail.net orange.fr wanadoo.fr free.fr sfr.fr
  laposte.net libero.it virgilio.it comcast.net verizon.net att.net sbcglobal.net cox.net btinternet.com sky.com
  rediffmail.com uol.com.br bol.com.br terra.com.br seznam.cz wp.pl o2.pl onet.pl interia.pl ukr.net abv.bg duck.com`.split(
    /\s+/,
  ),
);

/** One spelling of a domain: lower case ASCII without final dot; null when it is none. */
export function normalDomain(text: string): string | null {
  const plain = text.trim().replace(/^@/, '').replace(/\.$/, '');
  // domainToASCII reads a host out of more than hosts: "corp.example/x" would pass for corp.example.
  if (/[\s/\\?#:@%[\]]/.test(plain)) return null;
  const ascii = domainToASCII(plain).toLowerCase();
  const labels = ascii.split('.');
  if (ascii.length > 253 || labels.length < 2 || isIP(ascii) !== 0) return null;
  if (!labels.every((label) => /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/.test(label))) return null;
  return /^\d+$/.test(labels.at(-1) ?? '') ? null : ascii;
}

/** The domain of an e-mail address; null for what is no address. */
export function emailDomain(email: string): string | null {
  const at = email.lastIndexOf('@');
  return at < 1 ? null : normalDomain(email.slice(at + 1));
}

/** Why a team cannot have this domain, or null. */
export const domainRefusal = (domain: string): string | null =>
  PUBLIC_MAIL.has(domain) ? `${domain} gives addresses to everybody, so no team can claim it.` : null;

export const newDomainChallenge = () => randomBytes(20).toString('hex');
export const txtName = (domain: string) => `_teehouse-challenge.${domain}`;
export const txtValue = (challenge: string) => `teehouse-verification=${challenge}`;

/** Why a provider cannot be at this address, or null; whether it leads into a private network is asked elsewhere. */
export function issuerRefusal(issuer: string): string | null {
  if (!URL.canParse(issuer)) return 'Enter an address such as https://login.example.com.';
  const url = new URL(issuer);
  // OpenID Connect Core §2: scheme, host, and optionally port and path.
  if (url.search !== '' || url.hash !== '' || issuer.includes('?') || issuer.includes('#'))
    return 'An issuer has no query and no fragment.';
  return issuer.endsWith('/.well-known/openid-configuration')
    ? 'Enter the issuer only, without /.well-known/openid-configuration.'
    : null;
}

/** The role for someone with these claims: of the first rule whose value the claim has, else the default. */
export function roleFor(claims: Readonly<Record<string, unknown>>, rules: RoleRules): SsoRole {
  const { role_claim, role_rules, default_role } = rules;
  if (role_claim === null) return default_role;
  const values = new Set(valuesOf(claims, role_claim));
  return role_rules.find(({ value }) => values.has(value))?.role ?? default_role;
}

/** A claim by name, or by its path where providers nest them (`realm_access.roles`). */
function valuesOf(claims: Readonly<Record<string, unknown>>, path: string): string[] {
  let found: unknown = claims;
  if (Object.hasOwn(claims, path)) found = claims[path];
  else
    for (const key of path.split('.'))
      found =
        typeof found === 'object' && found !== null && Object.hasOwn(found, key)
          ? (found as Record<string, unknown>)[key]
          : undefined;
  return [found].flat().filter((value) => typeof value === 'string');
}

/** Why the provider's word about this address does not count, or null when it does. */
export function identityRefusal(
  { email, email_verified }: { email: string | null; email_verified: boolean | null },
  domain: string,
): 'no_email' | 'other_domain' | 'email_unverified' | null {
  if (email === null) return 'no_email';
  if (emailDomain(email) !== domain) return 'other_domain';
  return email_verified === false ? 'email_unverified' : null;
}

/** A team's connection that is verified and enforced, as it concerns one member. */
export interface EnforcedSso {
  /** Of the connection. */
  id: number;
  domain: string;
  /** The connection made this membership: a changed e-mail address does not free of it. */
  made_member: boolean;
}

/** What decides whether a session may enter a team, as the query of the session finds it. */
export interface SsoGate {
  enforced: EnforcedSso | null;
  /** The connection the session was opened through. */
  session_sso_id: number | null;
  email: string;
  role: TeamRole;
}

/**
 * Where single sign-on is enforced, members with an address of its domain enter by it only. Owners are exempt: a
 * broken provider must not lock out those who can repair it. API tokens are not sessions and are not asked.
 */
export function ssoRefusal({ enforced, session_sso_id, email, role }: SsoGate): 'sso_required' | null {
  if (enforced === null || role === 'owner' || session_sso_id === enforced.id) return null;
  return enforced.made_member || emailDomain(email) === enforced.domain ? 'sso_required' : null;
}

/** The cookie that binds a sign-in to the browser that began it. */
export const ssoCookieName = (public_url: string) =>
  public_url.startsWith('https:') ? '__Host-teehouse_sso' : 'teehouse_sso';

/**
 * Lax, because the provider leads the browser back by a link of its own site. `value: null` removes it.
 */
export function ssoCookie(public_url: string, value: string | null): string {
  const parts = [
    `${ssoCookieName(public_url)}=${value ?? ''}`,
    'Path=/',
    'HttpOnly',
    'SameSite=Lax',
    `Max-Age=${value === null ? 0 : SSO_SIGN_IN_SECONDS}`,
  ];
  if (public_url.startsWith('https:')) parts.push('Secure');
  return parts.join('; ');
}
