import { randomInt } from 'node:crypto';
import { permissions, type Permission } from '../../generated/api/permissions.gen';
import { decide } from './permissions';

/** RFC 8628: a command line asks for a code, a person approves it in a browser, the command line polls for its token. */

/** RFC 8628 §6.1: no vowels, so no words; no letters that read like others. */
const LETTERS = 'BCDFGHJKLMNPQRSTVWXZ';

export const DEVICE_CODE_SECONDS = 15 * 60;
/** Seconds a client waits before each poll. */
export const DEVICE_POLL_SECONDS = 5;
/** How much slower each poll that came too soon makes the next ones (RFC 8628 §3.5), and where that ends. */
export const SLOW_DOWN_SECONDS = 5;
export const SLOWEST_POLL_SECONDS = 60;
/** How long the token of an approved login lives. */
export const CLI_TOKEN_SECONDS = 90 * 24 * 3600;

/** `ABCD-EFGH`: 34 random bits, enough for a quarter of an hour behind a rate limit. */
export function newUserCode(): string {
  const letters = Array.from({ length: 8 }, () => LETTERS[randomInt(LETTERS.length)]).join('');
  return `${letters.slice(0, 4)}-${letters.slice(4)}`;
}

/** A code as people type it (small letters, spaces, no dash) as it is stored; null when it can be none. */
export function parseUserCode(typed: string): string | null {
  const letters = typed.toUpperCase().replace(/[^A-Z]/g, '');
  if (letters.length !== 8 || [...letters].some((letter) => !LETTERS.includes(letter))) return null;
  return `${letters.slice(0, 4)}-${letters.slice(4)}`;
}

/** Scopes that permissions ask for, and each area as a whole. `session` is for people at the screen. */
const KNOWN_SCOPES: ReadonlySet<string> = new Set(
  Object.values<{ roles: readonly string[]; scope?: string | null }>(permissions).flatMap(({ scope }) =>
    !scope || scope === 'session' ? [] : [scope, `${scope.split(':')[0]}:*`],
  ),
);

export const DEFAULT_CLI_SCOPES: readonly string[] = ['user:profile', 'cvms:*', 'nodes:*'];

/**
 * The scopes of a request this server knows; newer clients may ask for more (RFC 6749 §3.3 lets a server give less).
 * `*` cannot be asked for: the approval page shows what a token may do, one by one.
 */
export function requestedScopes(scope: string | undefined): string[] {
  const known = [...new Set((scope ?? '').split(/\s+/))].filter((name) => KNOWN_SCOPES.has(name));
  return known.length > 0 ? known : [...DEFAULT_CLI_SCOPES];
}

/** Of the scopes asked for, those that let this person do anything in this team: a token promises no more than it holds. */
export function grantableScopes(
  scopes: readonly string[],
  roles: { team_role: string; platform_role: string | null },
): string[] {
  const names = (Object.keys(permissions) as Permission[]).filter((name) => 'scope' in permissions[name]);
  return scopes.filter((scope) =>
    names.some((name) => decide(name, { kind: 'token', ...roles, scopes: [scope] }) === 'allowed'),
  );
}
