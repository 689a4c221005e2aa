import { named, oneLine } from './plain';
import { hostOf, originFacts, pages, worksUntil } from './site';
import type { Content, MailTemplates, SecondFactorMethod, Site } from './types';

type Templates<T extends keyof MailTemplates> = {
  [K in T]: (data: MailTemplates[K], site: Site) => Content;
};

const yours = (site: Site) => `You get this because this address belongs to an account on ${hostOf(site)}.`;
const notYou = (site: Site) =>
  `If this was not you, set a new password at once at ${pages.forgotten(site)}; that ends every session. Then look at the second factors and sessions in your account settings.`;

const METHODS: Record<SecondFactorMethod, string> = {
  totp: 'an authenticator app',
  passkey: 'a passkey',
  recovery_codes: 'recovery codes',
};

const SIGN_INS = { password: 'Password', passkey: 'Passkey', sso: 'Single sign-on' } as const;

const methodOf = ({ method, name }: { method: SecondFactorMethod; name: string | null }) =>
  name === null || method !== 'passkey' ? METHODS[method] : `the passkey ${named(name)}`;

/** What a person is told of their own account. */
export const accountMails: Templates<
  | 'verify_email'
  | 'account_exists'
  | 'reset_password'
  | 'password_changed'
  | 'email_change_confirm_old'
  | 'email_change_confirm_new'
  | 'email_changed'
  | 'second_factor_enabled'
  | 'second_factor_disabled'
  | 'recovery_code_used'
  | 'new_sign_in'
  | 'account_deleted'
> = {
  verify_email: ({ token, expires_at }, site) => ({
    subject: 'Confirm your e-mail address for Teehouse',
    heading: 'Confirm your e-mail address',
    body: [
      `An account on ${hostOf(site)} was made with this address. Confirm that it is yours, then you can deploy.`,
    ],
    action: { label: 'Confirm address', url: pages.verifyEmail(site, token) },
    after: [worksUntil(expires_at), 'If you made no account, do nothing.'],
    because: `Somebody entered this address on ${hostOf(site)}.`,
  }),

  account_exists: (origin, site) => ({
    subject: 'You already have a Teehouse account',
    heading: 'You already have an account',
    body: [
      `Somebody tried to register on ${hostOf(site)} with this address, which has an account already. If it was you, sign in with the password you have.`,
    ],
    facts: originFacts(origin),
    action: { label: 'Sign in', url: pages.login(site) },
    after: [
      `If you forgot the password, set a new one at ${pages.forgotten(site)}.`,
      'If it was somebody else, do nothing: they were told nothing about your account.',
    ],
    because: yours(site),
  }),

  reset_password: ({ token, expires_at, ...origin }, site) => ({
    subject: 'Set a new password for Teehouse',
    heading: 'Set a new password',
    body: [
      `Somebody asked for a new password for your account on ${hostOf(site)}.`,
      'Your second factor stays as it is: you are asked for it as always.',
    ],
    facts: originFacts(origin),
    action: { label: 'Set a new password', url: pages.resetPassword(site, token) },
    after: [worksUntil(expires_at), 'If it was not you, do nothing: your password stays as it is.'],
    because: yours(site),
  }),

  password_changed: (origin, site) => ({
    subject: 'Your Teehouse password was changed',
    heading: 'Your password was changed',
    body: [`The password of your account on ${hostOf(site)} was changed, and all other sessions have ended.`],
    facts: originFacts(origin),
    after: [notYou(site)],
    because: yours(site),
  }),

  email_change_confirm_old: ({ token, new_email, expires_at, ...origin }, site) => ({
    subject: 'Confirm that your Teehouse account gets a new address',
    heading: 'Change the address of your account?',
    body: [
      `Somebody who is signed in to your account on ${hostOf(site)} asked to change its e-mail address to ${oneLine(new_email)}.`,
      'The address changes when both the old one, here, and the new one are confirmed.',
    ],
    facts: originFacts(origin),
    action: { label: 'Confirm the change', url: pages.verifyEmail(site, token) },
    after: [worksUntil(expires_at), `Unless you confirm, nothing changes. ${notYou(site)}`],
    because: yours(site),
  }),

  email_change_confirm_new: ({ token, old_email, expires_at }, site) => ({
    subject: 'Confirm your new e-mail address for Teehouse',
    heading: 'Confirm your new address',
    body: [
      `The account of ${oneLine(old_email)} on ${hostOf(site)} is to get this address. It changes when both addresses are confirmed.`,
    ],
    action: { label: 'Confirm address', url: pages.verifyEmail(site, token) },
    after: [worksUntil(expires_at), 'If you know nothing of this, do nothing.'],
    because: `Somebody entered this address on ${hostOf(site)}.`,
  }),

  email_changed: ({ old_email, new_email, ...origin }, site) => ({
    subject: 'The address of your Teehouse account was changed',
    heading: 'Your account has a new address',
    body: [
      `Your account on ${hostOf(site)} now belongs to ${oneLine(new_email)}, no longer to ${oneLine(old_email)}. Sign in with the new address from now on.`,
    ],
    facts: originFacts(origin),
    after: [
      'If this was not you, write to whoever runs this server at once: they can give the account back.',
    ],
    because: `You get this because this address belongs or belonged to an account on ${hostOf(site)}.`,
  }),

  second_factor_enabled: ({ method, name, ...origin }, site) => ({
    subject: 'A second factor was added to your Teehouse account',
    heading: 'A second factor was added',
    body: [
      method === 'recovery_codes'
        ? `New recovery codes were made for your account on ${hostOf(site)}. The old ones no longer work.`
        : `Signing in to your account on ${hostOf(site)} now works with ${methodOf({ method, name })}.`,
    ],
    facts: originFacts(origin),
    action: { label: 'Account settings', url: pages.settings(site) },
    after: [notYou(site)],
    because: yours(site),
  }),

  second_factor_disabled: ({ method, name, ...origin }, site) => ({
    subject: 'A second factor was removed from your Teehouse account',
    heading: 'A second factor was removed',
    body: [`Your account on ${hostOf(site)} no longer accepts ${methodOf({ method, name })}.`],
    facts: originFacts(origin),
    action: { label: 'Account settings', url: pages.settings(site) },
    after: [notYou(site)],
    because: yours(site),
  }),

  recovery_code_used: ({ remaining, ...origin }, site) => ({
    subject: 'A recovery code of your Teehouse account was used',
    heading: 'A recovery code was used',
    body: [
      `Somebody signed in to your account on ${hostOf(site)} with the password and a recovery code.`,
      remaining === 0
        ? 'It was the last one. Make new codes now, or losing the other factor locks you out.'
        : `${remaining === 1 ? 'One code is' : `${remaining} codes are`} left.`,
    ],
    facts: originFacts(origin),
    action: { label: 'Account settings', url: pages.settings(site) },
    after: [notYou(site)],
    because: yours(site),
  }),

  new_sign_in: ({ method, ...origin }, site) => ({
    subject: 'New sign-in to your Teehouse account',
    heading: 'New sign-in',
    body: [`Your account on ${hostOf(site)} was signed in to from a device it has not been used on before.`],
    facts: [...originFacts(origin), ['Signed in by', SIGN_INS[method]]],
    action: { label: 'Look at your sessions', url: pages.settings(site) },
    after: ['If this was you, there is nothing to do.', notYou(site)],
    because: yours(site),
  }),

  account_deleted: (origin, site) => ({
    subject: 'Your Teehouse account was deleted',
    heading: 'Your account was deleted',
    body: [
      `Your account on ${hostOf(site)} was deleted, with its keys, tokens and sessions. What the law makes us keep of invoices stays.`,
    ],
    facts: originFacts(origin),
    because: `You get this because this address belonged to an account on ${hostOf(site)}. It is the last mail to it.`,
  }),
};
