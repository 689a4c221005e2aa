import { randomInt } from 'node:crypto';
import { permissions, type Permission } from '../../../generated/api/permissions.gen';
import { decide } from '../teams/permissions';

/**
 * RFC 8628: a command line requests a code, a user approves it in a browser, the command line polls for its
 * token.
 */

/** RFC 8628 §6.1: no vowels, so no words; no ambiguous letters. */
const LETTERS = 'BCDFGHJKLMNPQRSTVWXZ';

export const DEVICE_CODE_SECONDS = 15 * 60;
/** Seconds a client waits before each poll. */
export const DEVICE_POLL_SECONDS = 5;
/** Seconds each early poll adds to the interval (RFC 8628 §3.5), and the maximum. */
export const SLOW_DOWN_SECONDS = 5;
export const SLOWEST_POLL_SECONDS = 60;
/** Lifetime of an approved login's token. */
export const CLI_TOKEN_SECONDS = 90 * 24 * 3600;

/** `ABCD-EFGH`: 34 random bits, enough for fifteen minutes behind a rate limit. */
export function newUserCode(): string {
  const letters = Array.from({ length: 8 }, () => LETTERS[randomInt(LETTERS.length)]).join('');
  return `${letters.slice(0, 4)}-${letters.slice(4)}`;
}

/** Normalizes a typed code (lowercase, spaces, no dash) to its stored form; null when it is malformed. */
export function parseUserCode(typed: string): string | null {
  const letters = typed.toUpperCase().replace(/[^A-Z]/g, '');
  if (letters.length !== 8 || [...letters].some((letter) => !LETTERS.includes(letter))) return null;
  return `${letters.slice(0, 4)}-${letters.slice(4)}`;
}

/** Scopes used by permissions, and each area as a whole. `session` is for interactive sessions only. */
const KNOWN_SCOPES: ReadonlySet<string> = new Set(
  Object.values<{ roles: readonly string[]; scope?: string | null }>(permissions).flatMap(({ scope }) =>
    !scope || scope === 'session' ? [] : [scope, `${scope.split(':')[0]}:*`],
  ),
);

const DEFAULT_CLI_SCOPES: readonly string[] = ['user:profile', 'cvms:*', 'nodes:*'];

/**
 * Returns the requested scopes this server knows; newer clients may request more (RFC 6749 §3.3 allows
 * granting less). `*` can't be requested: the approval page lists what a token may do, one by one.
 */
export function requestedScopes(scope: string | undefined): string[] {
  const known = [...new Set((scope ?? '').split(/\s+/))].filter((name) => KNOWN_SCOPES.has(name));
  return known.length > 0 ? known : [...DEFAULT_CLI_SCOPES];
}

/**
 * Returns the requested scopes that let this user do anything in this team, so that a token never promises
 * more than it can do.
 */
export function grantableScopes(
  scopes: readonly string[],
  roles: { team_role: string; platform_role: string | null },
): string[] {
  const names = (Object.keys(permissions) as Permission[]).filter((name) => 'scope' in permissions[name]);
  return scopes.filter((scope) =>
    names.some((name) => decide(name, { kind: 'token', ...roles, scopes: [scope] }) === 'allowed'),
  );
}
