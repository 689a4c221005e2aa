import { randomBytes } from 'node:crypto';
import { isIP } from 'node:net';
import { domainToASCII } from 'node:url';
import type { TeamRole } from '../core/caller';
import { isMailAddress } from '../notifications/mail/plain';
import { hostCookie, hostCookieName } from '../accounts/sessionCookie';
import { ownValue } from '../../../console/lib/ownValue';

/** Rules of single sign-on. The provider may assign any role but owner: only owners create owners. */
export type SsoRole = Exclude<TeamRole, 'owner'>;

/**
 * The effective role in a session opened through single sign-on: owners act as admins, so that no provider
 * can act as an owner.
 */
export const roleBySso = (role: TeamRole): SsoRole => (role === 'owner' ? 'admin' : role);

export interface SsoRoleRule {
  value: string;
  role: SsoRole;
}

export interface RoleRules {
  role_claim: string | null;
  role_rules: readonly SsoRoleRule[];
  default_role: SsoRole;
}

/** Time limit at the provider, in seconds. */
export const SSO_SIGN_IN_SECONDS = 600;

/** Time limit for an existing account to confirm a link, in seconds: enough to set a password by email first. */
export const SSO_LINK_SECONDS = 30 * 60;

const DAY_MS = 24 * 3600 * 1000;
/** How often the TXT record is checked. */
export const RECHECK_MS = DAY_MS;
/** Retry delay after a failed lookup. */
export const RECHECK_FAILED_MS = 3600 * 1000;
/** How long the record may be missing before the connection is suspended. */
const SUSPEND_AFTER_MS = 7 * DAY_MS;
/** After this time, failed lookups count as a missing record. */
export const UNSEEN_MS = 30 * DAY_MS;

export const suspensionAt = (missing_since: Date): Date =>
  new Date(missing_since.getTime() + SUSPEND_AFTER_MS);

/** Public mail providers: only their operator can prove such a domain, and that is never a team. */
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

/** Normalizes a domain: lowercase ASCII without final dot; null when invalid. */
export function normalDomain(text: string): string | null {
  const plain = text.trim().replace(/^@/, '').replace(/\.$/, '');
  // domainToASCII accepts more than hosts: "corp.example/x" would pass for corp.example.
  if (/[\s/\\?#:@%[\]]/.test(plain)) return null;
  const ascii = domainToASCII(plain).toLowerCase();
  const labels = ascii.split('.');
  if (ascii.length > 253 || labels.length < 2 || isIP(ascii) !== 0) return null;
  if (!labels.every((label) => /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/.test(label))) return null;
  return /^\d+$/.test(labels.at(-1) ?? '') ? null : ascii;
}

/** Returns an email address's domain; null when it is malformed. */
export function emailDomain(email: string): string | null {
  const at = email.lastIndexOf('@');
  return at < 1 ? null : normalDomain(email.slice(at + 1));
}

/** Why a team can't claim this domain, or null. */
export const domainRefusal = (domain: string): string | null =>
  PUBLIC_MAIL.has(domain) ? `${domain} is a public email provider, so no team can claim it.` : null;

export const newDomainChallenge = () => randomBytes(20).toString('hex');
export const txtName = (domain: string) => `_teehouse-challenge.${domain}`;
export const txtValue = (challenge: string) => `teehouse-verification=${challenge}`;

/** Why a provider can't have this URL, or null; private networks are checked elsewhere. */
export function issuerRefusal(issuer: string): string | null {
  if (!URL.canParse(issuer)) return 'Enter a URL such as https://login.example.com.';
  const url = new URL(issuer);
  if (url.hostname.length > 253) return "A host name can't be longer than 253 characters.";
  // OpenID Connect Core §2: scheme, host, and optionally port and path.
  if (url.search !== '' || url.hash !== '' || issuer.includes('?') || issuer.includes('#'))
    return "An issuer URL can't have a query or fragment.";
  return issuer.endsWith('/.well-known/openid-configuration')
    ? 'Enter the issuer only, without /.well-known/openid-configuration.'
    : null;
}

/** Returns the role for these claims: of the first rule whose value the claim has, otherwise the default. */
export function roleFor(claims: Readonly<Record<string, unknown>>, rules: RoleRules): SsoRole {
  const { role_claim, role_rules, default_role } = rules;
  if (role_claim === null) return default_role;
  const values = new Set(claimValues(claims, role_claim));
  return role_rules.find(({ value }) => values.has(value))?.role ?? default_role;
}

/** Returns a claim's values, by name or by its path where providers nest them (`realm_access.roles`). */
export function claimValues(claims: Readonly<Record<string, unknown>>, path: string): string[] {
  let found: unknown = claims;
  if (Object.hasOwn(claims, path)) found = ownValue(claims, path);
  else
    for (const key of path.split('.'))
      found =
        typeof found === 'object' && found !== null && Object.hasOwn(found, key)
          ? ownValue(found as Record<string, unknown>, key)
          : undefined;
  return [found].flat().filter((value) => typeof value === 'string');
}

/**
 * Why the provider's claim to this address doesn't count, or null when it does. A team may accept providers
 * that omit `email_verified`; an explicit false is never accepted.
 */
export function identityRefusal(
  { email, email_verified }: { email: string | null; email_verified: boolean | null },
  { domain, require_email_verified }: { domain: string; require_email_verified: boolean },
): 'no_email' | 'other_domain' | 'email_unverified' | null {
  if (email === null) return 'no_email';
  if (emailDomain(email) !== domain) return 'other_domain';
  if (!isMailAddress(email)) return 'no_email';
  if (email_verified === true) return null;
  return email_verified === false || require_email_verified ? 'email_unverified' : null;
}

/** A team's verified, enforced connection, as it concerns one member. */
export interface EnforcedSso {
  /** Of the connection. */
  id: number;
  domain: string;
  /** The connection created this membership: changing the email address doesn't lift enforcement. */
  made_member: boolean;
}

/** Facts that decide whether a session may access a team, as the session query returns them. */
export interface SsoGate {
  enforced: EnforcedSso | null;
  /** The connection that opened the session. */
  session_sso_id: number | null;
  email: string;
  role: TeamRole;
}

/**
 * Where single sign-on is enforced, members with an address of its domain must use it. Owners are exempt: a
 * broken provider must not lock out those who can repair it. API tokens aren't sessions and are exempt.
 */
export function ssoRefusal({ enforced, session_sso_id, email, role }: SsoGate): 'sso_required' | null {
  if (enforced === null || role === 'owner' || session_sso_id === enforced.id) return null;
  return enforced.made_member || emailDomain(email) === enforced.domain ? 'sso_required' : null;
}

const SIGN_IN = 'teehouse_sso';
/** The cookie that binds a sign-in to the browser that started it. */
export const ssoCookieName = (public_url: string) => hostCookieName(public_url, SIGN_IN);
/** Lax, because the provider redirects the browser back from its own site. `value: null` removes it. */
export const ssoCookie = (public_url: string, value: string | null): string =>
  hostCookie(public_url, SIGN_IN, { value, seconds: SSO_SIGN_IN_SECONDS });

const LINK = 'teehouse_sso_link';
/** The cookie that binds a pending link to the browser that returned from the provider. */
export const ssoLinkCookieName = (public_url: string) => hostCookieName(public_url, LINK);
/** `token: null` removes it. */
export const ssoLinkCookie = (public_url: string, token: string | null): string =>
  hostCookie(public_url, LINK, { value: token, seconds: SSO_LINK_SECONDS });
