import type { Problem } from '../../../ui/feedback/problem';
import { ownValue } from '../../../lib/ownValue';

const again = 'Start the sign-in again.';
const admin = 'Ask a team admin to check the connection under Members, Security.';

const REASONS: Record<string, { message: string; suggestions: string[] }> = {
  expired: {
    message: 'The sign-in expired, was already completed, or was started in another browser.',
    suggestions: [again],
  },
  unavailable: {
    message: 'The team has changed or removed its single sign-on.',
    suggestions: ['Sign in another way, or ask a team admin.'],
  },
  suspended: {
    message: 'Single sign-on is suspended: the TXT record that verifies the team’s domain is missing.',
    suggestions: ['Sign in with your password or a passkey.', admin],
  },
  not_member: {
    message: 'You are no longer a member of the team.',
    suggestions: ['Sign in with your password or a passkey, or ask a team admin to invite you.'],
  },
  deactivated: {
    message: 'The team’s identity provider has deactivated you.',
    suggestions: ['Ask the provider’s administrators to reactivate you.'],
  },
  not_staff: {
    message: 'Your account has no platform role on this server.',
    suggestions: ['Ask a server administrator for a role, or sign in another way.'],
  },
  address_left: {
    message: 'Your account’s address is no longer at the team’s domain.',
    suggestions: ['Sign in with your password or a passkey.'],
  },
  provider_down: {
    message: 'The sign-in provider isn’t responding.',
    suggestions: ['Try again in a moment.', admin],
  },
  provider_error: {
    message: 'The sign-in provider’s configuration doesn’t match what this server expects.',
    suggestions: [admin],
  },
  denied: { message: 'The sign-in was canceled at the provider.', suggestions: [again] },
  rejected: {
    message: 'The sign-in provider’s response couldn’t be verified.',
    suggestions: [again, admin],
  },
  no_email: { message: 'The provider didn’t send a valid email address.', suggestions: [admin] },
  other_domain: {
    message: 'The provider sent an address outside the team’s domain.',
    suggestions: ['Sign in at the provider with your organization’s account.'],
  },
  email_unverified: {
    message: 'The provider doesn’t confirm that your email address is verified.',
    suggestions: ['Verify it at the provider, then sign in again.', admin],
  },
  other_person: {
    message: 'The provider now uses this address for a different user.',
    suggestions: ['Ask a team admin to remove the former member first.'],
  },
  registration_closed: {
    message: 'Registration is closed on this server, and your address has no account here.',
    suggestions: ['Ask the server’s administrator for an account, then sign in again.'],
  },
  account_closed: { message: 'The account with this address is closed or suspended.', suggestions: [admin] },
};

/** Maps the sign-in page's `sso_error` parameter to a problem; null for none or for unknown codes. */
export function ssoProblem(reason: unknown): Problem | null {
  if (typeof reason !== 'string' || !Object.hasOwn(REASONS, reason)) return null;
  return { title: 'Couldn’t sign in', ...ownValue(REASONS, reason)! };
}
