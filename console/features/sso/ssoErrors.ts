import type { Problem } from '../../ui/feedback/problem';

const again = 'Start the sign-in again.';
const admin = 'Tell an admin of the team, who can check the connection under Members, Security.';

const REASONS: Record<string, { message: string; suggestions: string[] }> = {
  expired: {
    message: 'The sign-in took too long, was finished already, or began in another browser.',
    suggestions: [again],
  },
  unavailable: {
    message: 'The team has changed or removed its single sign-on.',
    suggestions: ['Sign in another way, or ask an admin of the team.'],
  },
  provider_down: {
    message: 'The sign-in provider does not answer.',
    suggestions: ['Try again in a moment.', admin],
  },
  provider_error: {
    message: 'The sign-in provider is not set up as this server expects it.',
    suggestions: [admin],
  },
  denied: { message: 'The sign-in was broken off at the provider.', suggestions: [again] },
  rejected: {
    message: 'The answer of the sign-in provider could not be trusted.',
    suggestions: [again, admin],
  },
  no_email: { message: 'The provider did not say which e-mail address is yours.', suggestions: [admin] },
  other_domain: {
    message: 'The address the provider gave is not at the domain of the team.',
    suggestions: ['Sign in at the provider with the account of your organisation.'],
  },
  email_unverified: {
    message: 'The provider has not verified your e-mail address.',
    suggestions: ['Verify it at the provider, then sign in again.'],
  },
  other_person: {
    message: 'The provider now means somebody else by this address than before.',
    suggestions: ['An admin of the team has to remove the former member first.'],
  },
  account_closed: { message: 'The account of this address is closed or suspended.', suggestions: [admin] },
};

/** What the sign-in page shows for its `sso_error` parameter; null for none, and for words nobody here wrote. */
export function ssoProblem(reason: unknown): Problem | null {
  if (typeof reason !== 'string' || !Object.hasOwn(REASONS, reason)) return null;
  return { title: 'You are not signed in', ...REASONS[reason]! };
}
