import { isNotFound, isRedirect } from '@tanstack/react-router';
import { expect, it } from 'vitest';
import type { Session } from '../../generated/api/types.gen';
import { requireChosenTeam, requireDefaultTeam, requireVisitor } from './-next';

const withoutTeam = { user: { id: 'usr_1' }, teams: [] } as unknown as Session;

/** Returns the address a guard redirects to. */
function redirected(guard: () => unknown): string | undefined {
  try {
    guard();
  } catch (thrown) {
    if (isRedirect(thrown)) return thrown.options.href;
    throw thrown;
  }
  return undefined;
}

it('redirects a signed-in user without a team to the page that creates one', () => {
  expect(redirected(() => requireDefaultTeam(withoutTeam, '/dashboard'))).toBe('/');
  expect(redirected(() => requireChosenTeam(withoutTeam, undefined, '/cost'))).toBe('/');
  expect(redirected(() => requireVisitor(withoutTeam, undefined))).toBe('/');
});

it('hides teams the user isn’t a member of', () => {
  let thrown: unknown;
  try {
    requireChosenTeam(withoutTeam, 'acme', '/cost?team=acme');
  } catch (error) {
    thrown = error;
  }
  expect(isNotFound(thrown)).toBe(true);
});
